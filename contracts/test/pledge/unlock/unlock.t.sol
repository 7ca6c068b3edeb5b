// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeUnlockTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        vm.stopPrank();
        vm.prank(address(market));
        pledge.lock(provider, 1, 14 * USD);
    }

    function test_WhenTheCallerIsNotAMarketInService_ItRevertsWithNotMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotMarket.selector, stranger));
        vm.prank(stranger);
        pledge.unlock(provider, 1, 14 * USD, stranger, 14 * USD);
    }

    function test_WhenTheBuyerWouldGetMoreThanWasLocked_ItRevertsWithCompensationTooHigh() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.CompensationTooHigh.selector, 14 * USD + 1, 14 * USD));
        vm.prank(address(market));
        pledge.unlock(provider, 1, 14 * USD, user, 14 * USD + 1);
    }

    function test_WhenMoreIsLetGoThanIsLocked_ItRevertsWithNotLocked() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotLocked.selector, 14 * USD + 1, 14 * USD));
        vm.prank(address(market));
        pledge.unlock(provider, 1, 14 * USD + 1, user, 0);
    }

    function test_WhenTheBuyerIsOwedNothing_ItFreesIt() public {
        vm.expectEmit(address(pledge));
        emit IPledge.Unlocked(provider, 1, 14 * USD, 0);
        vm.prank(address(market));
        pledge.unlock(provider, 1, 14 * USD, user, 0);
        assertEq(pledge.freeOf(provider), 1000 * USD);
        assertEq(pledge.getPledge(provider).locked, 0);
    }

    function test_WhenTheBuyerIsOwedSomething_ItPaysThatAndKeepsTheInterestSoFar() public {
        pass(73 days);
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(pledge));
        emit IPledge.Unlocked(provider, 1, 14 * USD, 0);
        vm.expectEmit(address(pledge));
        emit IPledge.Compensated(provider, user, address(market), 10 * USD, 990 * USD);
        vm.prank(address(market));
        pledge.unlock(provider, 1, 14 * USD, user, 10 * USD);
        assertEq(credit.balanceOf(user) - before, 10 * USD);
        assertEq(pledge.getInterest(provider), 0.28e18);
        assertEq(pledge.totalPledged(), 990 * USD);
        assertEq(pledge.freeOf(provider), 990 * USD);
    }
}
