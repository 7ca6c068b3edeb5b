// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsNeededTest is MonitorsBase {
    function test_WhenFewAreAssigned_ItIsTwo() public view {
        assertEq(findings.needed(0), 2);
        assertEq(findings.needed(1), 2);
        assertEq(findings.needed(2), 2);
        assertEq(findings.needed(3), 2);
    }

    function test_WhenFourOrFiveAreAssigned_ItIsThree() public view {
        assertEq(findings.needed(4), 3);
        assertEq(findings.needed(5), 3);
    }
}
