// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsNeededTest is MonitorsBase {
    function test_WhenFewAreAssigned_ItIsTwo() public view {
        assertEq(monitors.needed(0), 2);
        assertEq(monitors.needed(1), 2);
        assertEq(monitors.needed(2), 2);
        assertEq(monitors.needed(3), 2);
    }

    function test_WhenFourOrFiveAreAssigned_ItIsThree() public view {
        assertEq(monitors.needed(4), 3);
        assertEq(monitors.needed(5), 3);
    }
}
