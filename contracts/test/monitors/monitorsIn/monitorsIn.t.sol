// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsMonitorsInTest is MonitorsBase {
    function test_WhenOneLeftDuringThePeriod_ItNamesTheOthers() public {
        vm.warp(endOf(period) - 1);
        vm.prank(accounts[0]);
        monitors.resign();
        assertEq(monitors.monitorsIn(period).length, 4);
    }

    function test_WhenOneLeftAfterIt_ItNamesItToo() public {
        vm.warp(endOf(period));
        vm.prank(accounts[0]);
        monitors.resign();
        assertEq(monitors.monitorsIn(period).length, 5);
        assertEq(monitors.monitorsIn(period + 1).length, 4);
    }

    function test_WhenAnotherHasItsPlaceSince_ItNamesForEachPeriodWhoHeldItThen() public {
        vm.warp(endOf(period));
        vm.prank(accounts[0]);
        monitors.resign();
        address next = joinAs("next");
        assertEq(monitors.monitorsIn(period)[0], accounts[0]);
        assertEq(monitors.monitorsIn(period + 1)[0], next);
        assertEq(monitors.monitorsIn(period - 2).length, 0);
    }

    function test_WhenSomebodyHeldAPlaceForExactlyAPeriod_ItNamesItForThatOne() public {
        vm.warp(endOf(period));
        address one = joinAs("one");
        vm.warp(endOf(period + 1));
        vm.prank(one);
        monitors.resign();
        address next = joinAs("next");
        assertEq(monitors.monitorsIn(period + 1)[5], one);
        assertEq(monitors.monitorsIn(period + 2)[5], next);
    }

    function test_WhenSomebodyHeldAPlaceForNoWholePeriod_TheNextOneIsKeptInItsStead() public {
        vm.warp(endOf(period) + 1);
        vm.prank(accounts[0]);
        monitors.resign();
        for (uint256 i = 0; i < 3; ++i) {
            address short = joinAs(string.concat("short", vm.toString(i)));
            vm.warp(endOf(period) + PERIOD + i);
            vm.prank(short);
            monitors.resign();
        }
        address next = joinAs("next");
        assertEq(monitors.monitorsIn(period)[0], accounts[0]);
        assertEq(monitors.monitorsIn(period + 1).length, 4);
        assertEq(monitors.monitorsIn(period + 3)[0], next);
    }
}
