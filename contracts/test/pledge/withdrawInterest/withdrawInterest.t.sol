// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeWithdrawInterestTest is Base {
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

    function test_WhenThereIsNone_ItRevertsWithNothingToWithdraw() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NothingToWithdraw.selector, provider));
        vm.prank(provider);
        pledge.withdrawInterest();
    }

    function test_WhenThereIsSome_ItPaysItOnce() public {
        pass(365 days);
        uint256 before = credit.balanceOf(provider);
        vm.expectEmit(address(pledge));
        emit IPledge.InterestWithdrawn(provider, 100 * USD);
        vm.prank(provider);
        assertEq(pledge.withdrawInterest(), 100 * USD);
        assertEq(credit.balanceOf(provider) - before, 100 * USD);
        assertEq(pledge.pool(), 50 * USD);
        assertEq(pledge.owed(), 0);
        assertEq(pledge.getInterest(provider), 0);
    }
}
