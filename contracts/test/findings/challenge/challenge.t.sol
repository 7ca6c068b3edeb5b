// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsChallengeTest is MonitorsBase {
    function test_WhenAsked_ItIsHalfAPeriod() public view {
        assertEq(findings.challenge(), 4 hours);
    }
}
