// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Base } from "../../Base.t.sol";

contract PledgeSetRateTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        lockFor(provider, 1, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        vm.stopPrank();
    }

    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        pledge.setRate(1);
    }

    function test_WhenItIsAbove100Percent_ItRevertsWithRateTooHigh() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.RateTooHigh.selector, 1e18 + 1, 1e18));
        vm.prank(owner);
        pledge.setRate(1e18 + 1);
    }

    function test_WhenItIsWithin_ItCountsFromNowOn() public {
        pass(73 days);
        vm.expectEmit(address(pledge));
        emit IPledge.RateSet(0.05e18);
        vm.prank(owner);
        pledge.setRate(0.05e18);
        assertEq(pledge.getRate(), 0.05e18);
        pass(73 days);
        assertEq(pledge.getInterest(provider), 30 * USD);
    }
}
