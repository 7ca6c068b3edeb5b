// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsFundTest is MonitorsBase {
    function test_WhenItReceivedAShareOfTheCommission_ItPassesItOnToThePoolOfTheMonitors() public {
        fund(address(findings), 7 * USD);
        vm.prank(stranger);
        findings.fund();
        assertEq(monitors.pool(), 7 * USD);
        assertEq(credit.balanceOf(address(findings)), 0);
    }
}
