// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsRevealTest is MonitorsBase {
    function test_WhenTheHourOfCommitmentsIsNotOver_ItRevertsWithOutsideWindow() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period) + 1 hours, endOf(period) + 2 hours));
        revealAs(accounts[0], period, "root");
    }

    function test_WhenTheHourIsOver_ItRevertsWithOutsideWindow() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
        vm.warp(endOf(period) + 2 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period) + 1 hours, endOf(period) + 2 hours));
        revealAs(accounts[0], period, "root");
    }

    function test_WhenItIsNotWhatWasCommittedTo_ItRevertsWithWrongReveal() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
        vm.warp(endOf(period) + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.WrongReveal.selector, accounts[0], period));
        revealAs(accounts[0], period, "other");
    }

    function test_WhenItIsAnothersRoot_ItRevertsWithWrongReveal() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
        bytes32 copied = monitors.commitmentOf(accounts[0], period);
        vm.prank(accounts[1]);
        monitors.commit(period, copied);
        vm.warp(endOf(period) + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.WrongReveal.selector, accounts[1], period));
        revealAs(accounts[1], period, "root");
    }

    function test_WhenTheRootIsZero_ItRevertsWithWrongReveal() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, 0);
        vm.warp(endOf(period) + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.WrongReveal.selector, accounts[0], period));
        revealAs(accounts[0], period, 0);
    }

    function test_WhenItWasRevealed_ItRevertsWithAlreadyRevealed() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
        vm.warp(endOf(period) + 1 hours);
        revealAs(accounts[0], period, "root");
        vm.expectRevert(abi.encodeWithSelector(IMonitors.AlreadyRevealed.selector, accounts[0], period));
        revealAs(accounts[0], period, "root");
    }

    function test_WhenItIsWhatWasCommittedTo_ItKeepsTheRoot() public {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
        vm.warp(endOf(period) + 1 hours);
        vm.expectEmit(address(monitors));
        emit IMonitors.Revealed(accounts[0], period, "root");
        revealAs(accounts[0], period, "root");
        assertEq(monitors.rootOf(accounts[0], period), "root");
        assertEq(monitors.earned(accounts[0]), 0);
    }

    function test_WhenThereIsAPool_ItPaysEachTheSamePartOfIt() public {
        fund(address(monitors), 900 * USD);
        revealAll(period, 2);
        // Additions to the pool count from the next period on.
        fund(address(monitors), 900 * USD);
        vm.warp(endOf(period));
        commitAs(accounts[2], period, "root");
        vm.warp(endOf(period) + 1 hours);
        vm.expectEmit(address(monitors));
        emit IMonitors.PayEarned(accounts[2], period, 2 * USD);
        revealAs(accounts[2], period, "root");
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(monitors.earned(accounts[i]), 2 * USD);
        }
    }

    function test_WhenItDidNotMonitorThroughThePeriod_ItPaysNothing() public {
        fund(address(monitors), 900 * USD);
        vm.warp(endOf(period) - 1);
        address late = joinAs("late");
        vm.warp(endOf(period));
        commitAs(late, period, "root");
        vm.warp(endOf(period) + 1 hours);
        revealAs(late, period, "root");
        assertEq(monitors.rootOf(late, period), "root");
        assertEq(monitors.earned(late), 0);
    }
}
