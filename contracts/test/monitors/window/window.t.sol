// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsWindowTest is MonitorsBase {
    function test_WhenAsked_ItIsAnEighthOfAPeriod() public view {
        assertEq(monitors.window(), 1 hours);
    }
}
