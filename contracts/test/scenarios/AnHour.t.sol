// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Accrual } from "../../src/libraries/Accrual.sol";
import { Base } from "../Base.t.sol";

/// @notice The figures of the first table of docs/money.md: an hour of a machine at 420 USD a month.
contract AnHourTest is Base {
    uint256 private constant RATE = 420e18;
    uint64 private id;
    uint256 private before;

    function setUp() public override {
        super.setUp();
        uint64 nodeId = openShop();
        before = credit.balanceOf(user);
        id = buy(nodeId, 1 hours);
    }

    function test_WhatIsPaidIn() public view {
        assertEq(paid(), 0.583333e6);
        assertEq(pledge.getPledge(provider).locked, 14 * USD);
    }

    function test_NeverReady() public {
        pass(24 hours);
        cancel();
        assertEq(credit.balanceOf(user) - before, Accrual.accrued(RATE, 1 hours));
    }

    function test_LeavingAfterFiveMinutes() public {
        activate(id);
        pass(5 minutes);
        cancel();
        assertEq(paid(), 0.048611e6);
        assertEq(market.earned(provider), Accrual.accrued(RATE, 5 minutes));
    }

    function test_LeavingAfterTwentyMinutes() public {
        activate(id);
        pass(20 minutes);
        cancel();
        assertEq(paid(), 0.194444e6);
        pass(24 hours);
        market.proSettle(id);
        assertEq(market.earned(provider), Accrual.accrued(RATE, 20 minutes));
    }

    function test_DownForTenMinutes() public {
        activate(id);
        pass(1 hours);
        report(id, 10 minutes);
        pass(24 hours);
        market.proSettle(id);
        assertEq(market.earned(provider), Accrual.accrued(RATE, 50 minutes));
        assertEq(1000 * USD - pledge.pledgeOf(provider), Accrual.accrued(RATE, 582));
        assertEq(paid(), 0.391805e6, "0.583333 less 0.097222 and 0.094305");
    }

    function test_ThrownOutAfterTwentyMinutes() public {
        activate(id);
        pass(20 minutes);
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(credit.balanceOf(user), before + 14 * USD - Accrual.accrued(RATE, 20 minutes));
    }

    function cancel() private {
        vm.prank(user);
        market.userCancel(id);
    }

    /// @dev In millionths of a USD, down.
    function paid() private view returns (uint256) {
        return (before - credit.balanceOf(user)) / 1e12;
    }
}
