// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

/// @dev Like the system contract of EIP-2935, with hashes that a test can tell from those of the last 256 blocks.
contract KeptHashes {
    fallback(bytes calldata number) external returns (bytes memory) {
        return abi.encode(keccak256(number));
    }
}

contract MonitorsDrawTest is MonitorsBase {
    uint64 private next;

    function setUp() public override {
        super.setUp();
        next = period + 2;
        vm.roll(1000);
    }

    function announceDraw() private {
        vm.warp(endOf(period));
        commitAs(accounts[0], period, "root");
    }

    function test_WhenNobodyHasCommittedTwoPeriodsBefore_ItRevertsWithNothingToDraw() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NothingToDraw.selector, next, 0));
        monitors.draw(next);
    }

    function test_WhenTheAnnouncedBlockIsNotOver_ItRevertsWithNothingToDraw() public {
        announceDraw();
        assertEq(monitors.drawBlockOf(next), 1004);
        vm.roll(1004);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NothingToDraw.selector, next, 1004));
        monitors.draw(next);
    }

    function test_WhenItIsOver_ItDrawsByItsHash() public {
        announceDraw();
        vm.roll(1260);
        vm.expectEmit(address(monitors));
        emit IMonitors.BeaconSet(next, blockhash(1004));
        monitors.draw(next);
        assertEq(monitors.beaconOf(next), blockhash(1004));
        assertNotEq(monitors.beaconOf(next), 0);
    }

    function test_WhenTheyAreDrawn_ItLeavesThemAsTheyAre() public {
        announceDraw();
        vm.roll(1005);
        monitors.draw(next);
        bytes32 beacon = monitors.beaconOf(next);
        vm.roll(2000);
        monitors.draw(next);
        assertEq(monitors.beaconOf(next), beacon);
        assertEq(monitors.drawBlockOf(next), 1004);
    }

    function test_WhenNobodyAskedWhileTheChainHadTheHash_ItAnnouncesAnotherBlock() public {
        announceDraw();
        vm.roll(1261);
        vm.expectEmit(address(monitors));
        emit IMonitors.DrawAnnounced(next, 1265);
        monitors.draw(next);
        assertEq(monitors.beaconOf(next), 0);
        vm.roll(1266);
        monitors.draw(next);
        assertEq(monitors.beaconOf(next), blockhash(1265));
    }

    function test_WhenTheChainKeepsHashesForLonger_ItDrawsByTheKeptOne() public {
        announceDraw();
        vm.roll(1261);
        vm.etch(0x0000F90827F1C53a10cb7A02335B175320002935, type(KeptHashes).runtimeCode);
        monitors.draw(next);
        assertEq(monitors.beaconOf(next), keccak256(abi.encode(1004)));
    }
}
