// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsChallengeTest is MonitorsBase {
    function test_WhenAsked_ItIsHalfAPeriod() public view {
        assertEq(monitors.challenge(), 4 hours);
    }
}
