// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Findings } from "../../../src/Findings.sol";
import { Monitors } from "../../../src/Monitors.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsMaintenanceNoticeTest is MonitorsBase {
    function test_WhenAnEpochHasFiveMinutes_ItIsADay() public view {
        assertEq(findings.maintenanceNotice(), 1 days);
    }

    function test_WhenTimePassesFaster_ItIsThreePeriods() public {
        assertEq(
            new Findings(new Monitors(access, address(credit), 15, 16), validator, IFindings(address(0))).maintenanceNotice(), 12 minutes
        );
    }
}
