// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsDrawOfTest is MonitorsBase {
    function test_WhenOneLeftSinceThePeriod_ItDrawsFromTheSame() public {
        (address[] memory drawn, uint256 candidates) = monitors.drawOf(provider, nodeId, period);
        for (uint256 i = 5; i < 9; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        vm.warp(endOf(period));
        (drawn, candidates) = monitors.drawOf(provider, nodeId, period);
        assertEq(candidates, 9);
        vm.prank(drawn[0]);
        monitors.resign();
        address[] memory again = monitors.assigned(provider, nodeId, period);
        for (uint256 i = 0; i < 5; ++i) {
            assertEq(again[i], drawn[i]);
        }
        (, candidates) = monitors.drawOf(provider, nodeId, period + 1);
        assertEq(candidates, 8);
    }

    function test_WhenOneIsSlashedOverThePeriod_ItDrawsTheSame() public {
        IMonitors.Vote[] memory votes = report(three(ALL, 0, 0));
        address[] memory drawn = monitors.assigned(provider, nodeId, period);
        for (uint8 epoch = 0; epoch < 6; ++epoch) {
            bytes memory acknowledged = acknowledge(accounts[0], orderId, epoch);
            monitors.proveContradiction(address(market), orderId, period, voteOf(votes, accounts[0]), epoch, acknowledged);
        }
        assertEq(monitors.monitorOf(accounts[0]).bond, 0);
        (address[] memory again, uint256 candidates) = monitors.drawOf(provider, nodeId, period);
        assertEq(candidates, 5);
        for (uint256 i = 0; i < 5; ++i) {
            assertEq(again[i], drawn[i]);
        }
    }
}
