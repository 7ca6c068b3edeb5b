// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsJoinTest is MonitorsBase {
    function test_WhenTheBondIsTooLow_ItRevertsWithBondTooLow() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BondTooLow.selector, 1000 * USD - 1, 1000 * USD));
        vm.prank(stranger);
        monitors.join(1000 * USD - 1);
    }

    function test_WhenTheCallerMonitorsAlready_ItRevertsWithAlreadyMonitor() public {
        fund(accounts[0], 1000 * USD);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.AlreadyMonitor.selector, accounts[0]));
        vm.prank(accounts[0]);
        monitors.join(1000 * USD);
    }

    function test_WhenThereAre64Monitors_ItRevertsWithTooManyMonitors() public {
        for (uint256 i = 5; i < 64; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        vm.expectRevert(abi.encodeWithSelector(IMonitors.TooManyMonitors.selector, 64));
        vm.prank(stranger);
        monitors.join(1000 * USD);
    }

    function test_WhenOneOf64WasReplaced_ItGivesItsIndexAgain() public {
        for (uint256 i = 5; i < 64; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        vm.prank(accounts[9]);
        monitors.resign();
        pass(14 days);
        vm.prank(accounts[9]);
        monitors.takeBond();
        address last = joinAs("last");
        assertEq(monitors.monitorOf(last).index, 9);
        assertEq(monitors.monitors().length, 64);
    }

    function test_WhenTheBondIsEnough_ItTakesItAndTheMonitorBegins() public {
        vm.startPrank(stranger);
        credit.approve(address(monitors), 1500 * USD);
        vm.expectEmit(address(monitors));
        emit IMonitors.MonitorJoined(stranger, 1500 * USD);
        monitors.join(1500 * USD);
        IMonitors.Monitor memory monitor = monitors.monitorOf(stranger);
        assertEq(monitor.bond, 1500 * USD);
        assertEq(monitor.joinedAt, block.timestamp);
        assertEq(monitor.leftAt, 0);
        assertEq(monitor.index, 5);
        assertEq(credit.balanceOf(address(monitors)), 6500 * USD);
    }
}
