// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsResignTest is MonitorsBase {
    function test_WhenTheCallerDoesNotMonitor_ItRevertsWithNotMonitor() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, stranger));
        vm.prank(stranger);
        monitors.resign();
    }

    function test_WhenTheCallerLeftAlready_ItRevertsWithNotMonitor() public {
        vm.startPrank(accounts[0]);
        monitors.resign();
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, accounts[0]));
        monitors.resign();
    }

    function test_WhenTheCallerMonitors_ItFreesItsPlaceAndStaysBondedFor14Days() public {
        vm.expectEmit(address(monitors));
        emit IMonitors.MonitorLeft(accounts[0], uint40(block.timestamp + 14 days));
        vm.prank(accounts[0]);
        monitors.resign();
        assertEq(monitors.assigned(provider, nodeId, period).length, 4);
        assertEq(monitors.monitors().length, 4);
        assertEq(monitors.monitorOf(accounts[0]).bond, 1000 * USD);
    }
}
