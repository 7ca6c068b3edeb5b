// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsAnnounceTest is MonitorsBase {
    function test_WhenTheCallerDoesNotMonitor_ItRevertsWithNotMonitor() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, stranger));
        vm.prank(stranger);
        monitors.announce("https://monitor.example");
    }

    function test_WhenTheURLHasMoreThan128Bytes_ItRevertsWithUrlTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.UrlTooLong.selector, 129, 128));
        vm.prank(accounts[0]);
        monitors.announce(string(new bytes(129)));
    }

    function test_WhenTheCallerMonitors_ItSaysWhereUntilItIsGone() public {
        vm.startPrank(accounts[0]);
        vm.expectEmit(address(monitors));
        emit IMonitors.MonitorAnnounced(accounts[0], "https://monitor.example");
        monitors.announce("https://monitor.example");
        assertEq(monitors.urlOf(accounts[0]), "https://monitor.example");
        monitors.resign();
        pass(14 days);
        monitors.takeBond();
        assertEq(monitors.urlOf(accounts[0]), "");
    }
}
