// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeReclaimInterestTest is Base {
    function setUp() public override {
        super.setUp();
        vm.startPrank(stranger);
        credit.approve(address(pledge), 100 * USD);
        pledge.fundInterest(100 * USD);
        vm.stopPrank();
    }

    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        pledge.reclaimInterest();
    }

    function test_WhenNothingWasAnnounced_ItRevertsWithNotAnnounced() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotAnnounced.selector, 0, 0));
        vm.prank(owner);
        pledge.reclaimInterest();
    }

    function test_WhenThirtyDaysHaveNotPassed_ItRevertsWithNotAnnounced() public {
        vm.startPrank(owner);
        pledge.announceReclaim(USD);
        pass(30 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotAnnounced.selector, USD, GENESIS + 30 days));
        pledge.reclaimInterest();
    }

    function test_WhenFourteenDaysMoreHavePassed_ItRevertsWithNotAnnounced() public {
        vm.startPrank(owner);
        pledge.announceReclaim(USD);
        pass(44 days);
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotAnnounced.selector, USD, GENESIS + 30 days));
        pledge.reclaimInterest();
        pledge.announceReclaim(USD);
        pass(44 days - 1);
        assertEq(pledge.reclaimInterest(), USD);
    }

    function test_WhenTheyHave_ItPaysTheTreasuryWhatNoInterestNeededOnce() public {
        vm.prank(owner);
        pledge.setRate(1e18);
        pledgeFor(provider, 100 * USD);
        lockFor(provider, 1, 100 * USD);
        vm.startPrank(owner);
        pledge.announceReclaim(1000 * USD);
        pass(36.5 days);
        vm.expectEmit(address(pledge));
        emit IPledge.InterestReclaimed(treasury, 90 * USD);
        assertEq(pledge.reclaimInterest(), 90 * USD);
        assertEq(credit.balanceOf(treasury), 90 * USD);
        assertEq(pledge.getInterest(provider), 10 * USD, "what has accrued stays");
        assertEq(pledge.pool(), 0);
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotAnnounced.selector, 0, GENESIS + 30 days));
        pledge.reclaimInterest();
    }

    function test_WhenLessWasAnnouncedThanIsThere_ItPaysThat() public {
        vm.startPrank(owner);
        pledge.announceReclaim(30 * USD);
        pass(30 days);
        assertEq(pledge.reclaimInterest(), 30 * USD);
        assertEq(pledge.pool(), 70 * USD);
    }
}
