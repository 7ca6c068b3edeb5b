// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsMonitorsThroughTest is MonitorsBase {
    function test_WhenTheAccountNeverMonitored_ItIsFalse() public view {
        assertFalse(monitors.monitorsThrough(stranger, period));
        assertFalse(monitors.monitorsThrough(address(0), period));
    }

    function test_WhenItJoinedInTheFirstSecondOfThePeriod_ItIsTrue() public {
        vm.warp(uint256(period) * PERIOD);
        assertTrue(monitors.monitorsThrough(joinAs("new"), period));
    }

    function test_WhenItJoinedASecondLater_ItIsFalse() public {
        vm.warp(uint256(period) * PERIOD + 1);
        address late = joinAs("new");
        assertFalse(monitors.monitorsThrough(late, period));
        assertTrue(monitors.monitorsThrough(late, period + 1));
    }
}
