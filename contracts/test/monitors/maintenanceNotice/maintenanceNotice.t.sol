// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Monitors } from "../../../src/Monitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsMaintenanceNoticeTest is MonitorsBase {
    function test_WhenAnEpochHasFiveMinutes_ItIsADay() public view {
        assertEq(monitors.maintenanceNotice(), 1 days);
    }

    function test_WhenTimePassesFaster_ItIsThreePeriods() public {
        assertEq(new Monitors(address(credit), validator, 15, 16).maintenanceNotice(), 12 minutes);
    }
}
