// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsNeededToContestTest is MonitorsBase {
    function test_WhenThereAreFew_ItIsTwo() public view {
        assertEq(monitors.neededToContest(0), 2);
        assertEq(monitors.neededToContest(2), 2);
        assertEq(monitors.neededToContest(3), 2);
    }

    function test_WhenThereAreMore_ItIsMoreThanAThird() public view {
        assertEq(monitors.neededToContest(6), 3);
        assertEq(monitors.neededToContest(9), 4);
        assertEq(monitors.neededToContest(64), 22);
    }
}
