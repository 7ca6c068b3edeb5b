// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeFundInterestTest is Base {
    function test_WhenTheAmountIsZero_ItRevertsWithZeroAmount() public {
        vm.expectRevert(IPledge.ZeroAmount.selector);
        pledge.fundInterest(0);
    }

    function test_WhenItIsNot_ItAddsToThePool() public {
        vm.startPrank(stranger);
        credit.approve(address(pledge), USD);
        vm.expectEmit(address(pledge));
        emit IPledge.InterestFunded(stranger, USD);
        pledge.fundInterest(USD);
        assertEq(pledge.pool(), USD);
    }

    function test_WhenThePoolWasEmptySoFar_ItPaysForNoTimeBefore() public {
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        lockFor(provider, 1, 1000 * USD);
        pass(365 days);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        assertEq(pledge.getInterest(provider), 0);
        pass(73 days);
        assertEq(pledge.getInterest(provider), 20 * USD);
    }
}
