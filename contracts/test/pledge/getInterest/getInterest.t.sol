// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract PledgeGetInterestTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        lockFor(provider, 1, 1000 * USD);
    }

    function test_WhenNobodyHasFundedThePool_ItIsNothing() public {
        pass(365 days);
        assertEq(pledge.getInterest(provider), 0);
    }

    function test_WhenThePoolHoldsEnough_ItIsWhatAWithdrawalPaysNow() public {
        fundPool(150 * USD);
        pass(73 days);
        assertEq(pledge.getInterest(provider), 20 * USD);
        vm.prank(provider);
        assertEq(pledge.withdrawInterest(), 20 * USD);
    }

    function test_WhenThePoolRunsOut_ItIsWhatThePoolHeld() public {
        fundPool(5 * USD);
        pass(365 days);
        assertEq(pledge.getInterest(provider), 5 * USD);
    }

    function test_WhenNothingIsLocked_ItStopsGrowing() public {
        fundPool(150 * USD);
        pass(73 days);
        unlockFor(provider, 1, 1000 * USD);
        pass(365 days);
        assertEq(pledge.getInterest(provider), 20 * USD);
        assertEq(pledge.pool(), 130 * USD);
    }

    function test_WhenTheAccountNeverPledged_ItIsNothing() public {
        fundPool(150 * USD);
        pass(365 days);
        assertEq(pledge.getInterest(stranger), 0);
    }

    function fundPool(uint256 amount) internal {
        vm.startPrank(stranger);
        credit.approve(address(pledge), amount);
        pledge.fundInterest(amount);
        vm.stopPrank();
    }
}
