// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsAssignedTest is MonitorsBase {
    function test_WhenFiveMonitor_ItDrawsAll() public view {
        assertEq(monitors.assigned(provider, nodeId, period).length, 5);
    }

    function test_WhenNobodyCommittedTwoPeriodsBefore_ItDrawsNobody() public view {
        assertEq(monitors.beaconOf(period + 1), 0);
        (address[] memory drawn, uint256 candidates) = monitors.drawOf(provider, nodeId, period + 1);
        assertEq(drawn.length, 0);
        assertEq(candidates, 5);
    }

    function test_WhenNobodyAskedForTheHashInTime_ItDrawsNobodyUntilAnotherBlockDraws() public {
        vm.warp(endOf(period - 1));
        commitAs(accounts[0], period - 1, "root");
        vm.roll(block.number + 300);
        assertEq(monitors.assigned(provider, nodeId, period + 1).length, 0);
        monitors.draw(period + 1);
        assertEq(monitors.assigned(provider, nodeId, period + 1).length, 0);
        vm.roll(block.number + 5);
        monitors.draw(period + 1);
        assertEq(monitors.assigned(provider, nodeId, period + 1).length, 5);
    }

    function test_WhenOneJoinedDuringThePeriod_ItIsNotDrawn() public {
        vm.warp(uint256(period) * 8 hours + 1);
        address late = joinAs("late");
        address[] memory drawn = monitors.assigned(provider, nodeId, period);
        for (uint256 i = 0; i < drawn.length; ++i) {
            assertNotEq(drawn[i], late);
        }
        assertEq(drawn.length, 5);
    }

    function testFuzz_WhenManyMonitor_ItDrawsFiveThatDifferByNode(uint64 node) public {
        for (uint256 i = 5; i < 12; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        address[] memory drawn = monitors.assigned(provider, node, period);
        assertEq(drawn.length, 5);
        bytes32 seed = keccak256(abi.encode(monitors.beaconOf(period), period, provider, node));
        for (uint256 i = 0; i < accounts.length; ++i) {
            bool isDrawn;
            uint256 below;
            for (uint256 j = 0; j < 5; ++j) {
                if (drawn[j] == accounts[i]) isDrawn = true;
            }
            for (uint256 j = 0; j < accounts.length; ++j) {
                if (keccak256(abi.encode(seed, accounts[j])) < keccak256(abi.encode(seed, accounts[i]))) ++below;
            }
            assertEq(isDrawn, below < 5);
        }
    }

    function test_WhenTheProviderMonitors_ItIsNotDrawnForItsOwnNodes() public {
        // With four others, so that there is room for it.
        vm.prank(accounts[4]);
        monitors.resign();
        fund(provider, monitors.MIN_BOND());
        vm.startPrank(provider);
        credit.approve(address(monitors), type(uint256).max);
        monitors.join(monitors.MIN_BOND(), provider);
        vm.stopPrank();
        assertEq(monitors.assigned(stranger, nodeId, period).length, 5);
        address[] memory drawn = monitors.assigned(provider, nodeId, period);
        assertEq(drawn.length, 4);
        for (uint256 i = 0; i < drawn.length; ++i) {
            assertNotEq(drawn[i], provider);
        }
    }
}
