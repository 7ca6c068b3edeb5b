// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsNeededToContestTest is MonitorsBase {
    function test_WhenThereAreFew_ItIsTwo() public view {
        assertEq(findings.neededToContest(0), 2);
        assertEq(findings.neededToContest(2), 2);
        assertEq(findings.neededToContest(3), 2);
    }

    function test_WhenThereAreMore_ItIsMoreThanAThird() public view {
        assertEq(findings.neededToContest(6), 3);
        assertEq(findings.neededToContest(9), 4);
        assertEq(findings.neededToContest(64), 22);
    }
}
