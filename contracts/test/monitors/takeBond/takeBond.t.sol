// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsTakeBondTest is MonitorsBase {
    function test_WhenTheCallerIsNoMonitor_ItRevertsWithNotMonitor() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, stranger));
        vm.prank(stranger);
        monitors.takeBond();
    }

    function test_WhenTheCallerHasNotLeft_ItRevertsWithStillBonded() public {
        pass(1000 days);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.StillBonded.selector, type(uint40).max));
        vm.prank(accounts[0]);
        monitors.takeBond();
    }

    function test_WhenASecondIsMissing_ItRevertsWithStillBonded() public {
        vm.startPrank(accounts[0]);
        monitors.resign();
        uint40 until = uint40(block.timestamp + 14 days);
        pass(14 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.StillBonded.selector, until));
        monitors.takeBond();
    }

    function test_When14DaysHavePassed_ItPaysTheBond() public {
        vm.startPrank(accounts[0]);
        monitors.resign();
        pass(14 days);
        vm.expectEmit(address(monitors));
        emit IMonitors.BondReturned(accounts[0], 1000 * USD);
        assertEq(monitors.takeBond(), 1000 * USD);
        assertEq(credit.balanceOf(accounts[0]), 1000 * USD);
        assertEq(monitors.monitorOf(accounts[0]).bond, 0);
        assertEq(monitors.monitors().length, 4);
    }
}
