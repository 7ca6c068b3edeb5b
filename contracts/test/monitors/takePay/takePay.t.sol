// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsTakePayTest is MonitorsBase {
    function test_WhenNothingWasEarned_ItRevertsWithNothingEarned() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NothingEarned.selector, accounts[0]));
        vm.prank(accounts[0]);
        monitors.takePay();
    }

    function test_WhenTwoPeriodsWereEarned_ItPaysBoth() public {
        fund(address(monitors), 900 * USD);
        earnAll(period, 1);
        earnAll(period + 1, 1);
        uint256 second = (uint256(900 * USD) - 2 * USD) / 450;
        vm.expectEmit(address(monitors));
        emit IMonitors.PayTaken(accounts[0], 2 * USD + second);
        vm.prank(accounts[0]);
        assertEq(monitors.takePay(), 2 * USD + second);
        assertEq(credit.balanceOf(accounts[0]), 2 * USD + second);
        assertEq(monitors.earned(accounts[0]), 0);
    }

    function test_WhenTheBondWasTakenBefore_ItPaysAllTheSame() public {
        fund(address(monitors), 900 * USD);
        earnAll(period, 1);
        vm.startPrank(accounts[0]);
        monitors.resign();
        pass(14 days);
        monitors.takeBond();
        assertEq(monitors.takePay(), 2 * USD);
        assertEq(credit.balanceOf(accounts[0]), 1002 * USD);
    }
}
