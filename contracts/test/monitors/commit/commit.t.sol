// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsCommitTest is MonitorsBase {
    function test_WhenTheCallerDoesNotMonitor_ItRevertsWithNotMonitor() public {
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, stranger));
        vm.prank(stranger);
        monitors.commit(period, "c");
    }

    function test_WhenThePeriodIsNotOver_ItRevertsWithOutsideWindow() public {
        vm.warp(endOf(period) - 1);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period), endOf(period) + 1 hours));
        vm.prank(accounts[0]);
        monitors.commit(period, "c");
    }

    function test_WhenTheHourIsOver_ItRevertsWithOutsideWindow() public {
        vm.warp(endOf(period) + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period), endOf(period) + 1 hours));
        vm.prank(accounts[0]);
        monitors.commit(period, "c");
    }

    function test_WhenItIsTheFirstOfItsPeriod_ItAnnouncesTheBlockThatDraws() public {
        vm.warp(endOf(period));
        vm.roll(1000);
        vm.expectEmit(address(monitors));
        emit IMonitors.DrawAnnounced(period + 2, 1004);
        vm.expectEmit(address(monitors));
        emit IMonitors.Committed(accounts[0], period, "c");
        vm.prank(accounts[0]);
        monitors.commit(period, "c");
        assertEq(monitors.beaconOf(period + 2), 0);
        assertEq(monitors.commitmentOf(accounts[0], period), "c");
    }

    function test_WhenThatBlockIsOver_ItDrawsByItsHash() public {
        vm.warp(endOf(period));
        vm.roll(1000);
        vm.prank(accounts[0]);
        monitors.commit(period, "c");
        vm.roll(1010);
        vm.prank(accounts[1]);
        monitors.commit(period, "d");
        assertEq(monitors.beaconOf(period + 2), blockhash(1004));
        vm.roll(1020);
        vm.prank(accounts[2]);
        monitors.commit(period, "e");
        assertEq(monitors.beaconOf(period + 2), blockhash(1004));
    }

    function test_WhenTheCallerCommitsAgain_ItTakesTheLastCommitment() public {
        vm.warp(endOf(period));
        vm.startPrank(accounts[0]);
        monitors.commit(period, "c");
        monitors.commit(period, "d");
        assertEq(monitors.commitmentOf(accounts[0], period), "d");
    }
}
