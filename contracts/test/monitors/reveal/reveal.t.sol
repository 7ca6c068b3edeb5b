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
    }
}
