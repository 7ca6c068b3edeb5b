// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsJoinTest is MonitorsBase {
    function test_WhenTheBondIsTooLow_ItRevertsWithBondTooLow() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BondTooLow.selector, 1000 * USD - 1, 1000 * USD));
        vm.prank(stranger);
        monitors.join(1000 * USD - 1, stranger);
    }

    function test_WhenTheCallerMonitorsAlready_ItRevertsWithAlreadyMonitor() public {
        fund(accounts[0], 1000 * USD);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.AlreadyMonitor.selector, accounts[0]));
        vm.prank(accounts[0]);
        monitors.join(1000 * USD, stranger);
    }

    function test_WhenTheKeyIsZero_ItRevertsWithNoKey() public {
        fund(stranger, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(monitors), 1000 * USD);
        vm.expectRevert(IMonitors.NoKey.selector);
        monitors.join(1000 * USD, address(0));
    }

    function fill() private {
        for (uint256 i = 5; i < 64; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
    }

    function joinFor(address account, uint256 bond) private {
        fund(account, bond);
        vm.startPrank(account);
        credit.approve(address(monitors), bond);
        monitors.join(bond, account);
        vm.stopPrank();
    }

    function test_WhenAllPlacesAreHeldAndTheBondIsNotATenthHigherThanTheLowest_ItRevertsWithBondTooLow() public {
        fill();
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BondTooLow.selector, 1100 * USD - 1, 1100 * USD));
        vm.prank(stranger);
        monitors.join(1100 * USD - 1, stranger);
    }

    function test_WhenAllPlacesAreHeldAndTheBondIsATenthHigher_ItTakesThePlaceOfTheLowestWhoseBondWaits() public {
        fill();
        joinFor(makeAddr("rich"), 1100 * USD);
        // The lowest of equal bonds is that of the first place that is left.
        joinFor(makeAddr("richer"), 1200 * USD);
        assertEq(monitors.monitorOf(makeAddr("richer")).place, 1);
        assertEq(monitors.monitors().length, 64);
        assertEq(monitors.monitorOf(accounts[1]).leftAt, block.timestamp);
        pass(14 days);
        vm.prank(accounts[1]);
        assertEq(monitors.takeBond(), 1000 * USD);
    }

    function test_WhenOneOf64HasLeft_ItGivesItsPlaceAtOnce() public {
        fill();
        vm.prank(accounts[9]);
        monitors.resign();
        address last = joinAs("last");
        assertEq(monitors.monitorOf(last).place, 9);
        assertEq(monitors.monitors().length, 64);
    }

    function test_WhenTheBondIsEnough_ItTakesItAndTheMonitorBegins() public {
        vm.startPrank(stranger);
        credit.approve(address(monitors), 1500 * USD);
        vm.expectEmit(address(monitors));
        emit IMonitors.MonitorJoined(stranger, 1500 * USD);
        vm.expectEmit(address(monitors));
        emit IMonitors.KeyNamed(stranger, operator);
        monitors.join(1500 * USD, operator);
        IMonitors.Monitor memory monitor = monitors.monitorOf(stranger);
        assertEq(monitor.bond, 1500 * USD);
        assertEq(monitor.joinedAt, block.timestamp);
        assertEq(monitor.leftAt, 0);
        assertEq(monitor.place, 5);
        assertEq(credit.balanceOf(address(monitors)), 6500 * USD);
        assertEq(monitors.keyOf(stranger), operator);
        assertTrue(monitors.isKeyOf(stranger, operator));
        assertFalse(monitors.isKeyOf(stranger, stranger));
    }
}
