// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsPoolTest is MonitorsBase {
    function test_WhenThereAreBondsOnly_ItIsZero() public view {
        assertEq(credit.balanceOf(address(monitors)), 5000 * USD);
        assertEq(monitors.pool(), 0);
    }

    function test_WhenCommissionWasTaken_ItIsTheShareOfMonitors() public {
        vm.startPrank(owner);
        market.setCommissionBps(1000);
        market.setMonitorShare(2000);
        vm.stopPrank();
        uint64 id = buy(addNode(provider), 30 days);
        activate(id);
        pass(11 days);
        market.proSettle(id);
        vm.prank(treasury);
        market.takeCommission();
        findings.fund();
        assertEq(monitors.pool(), 2.8e18);
    }

    function test_WhenMonitorsHaveEarned_ItIsWhatIsLeft() public {
        fund(address(monitors), 900 * USD);
        earnAll(period, 2);
        assertEq(monitors.pool(), 896 * USD);
        vm.prank(accounts[0]);
        monitors.takePay();
        assertEq(monitors.pool(), 896 * USD);
    }
}
