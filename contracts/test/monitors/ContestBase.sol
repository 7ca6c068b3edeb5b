// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "./MonitorsBase.sol";

/// @notice Nine monitors, of which the first five of `accounts` are drawn for the node.
abstract contract ContestBase is MonitorsBase {
    uint256 internal constant DRAWN = 5;

    function setUp() public virtual override {
        super.setUp();
        for (uint256 i = 5; i < 9; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        sortDrawn();
    }

    /// @notice Those drawn for `period` come first in `accounts`.
    function sortDrawn() internal {
        address[] memory drawn = monitors.assigned(provider, nodeId, period);
        for (uint256 i = 0; i < DRAWN; ++i) {
            for (uint256 j = i; j < accounts.length; ++j) {
                if (accounts[j] == drawn[i]) (accounts[i], accounts[j]) = (accounts[j], accounts[i]);
            }
        }
    }

    /// @notice `down` from the first `liars` of those drawn, `others` from the four that are not, and nothing from the rest.
    function nine(uint256 liars, uint96 down, uint96 others) internal pure returns (uint96[] memory downs) {
        downs = new uint96[](9);
        for (uint256 i = 0; i < liars; ++i) {
            downs[i] = down;
        }
        for (uint256 i = DRAWN; i < 9; ++i) {
            downs[i] = others;
        }
    }

    function votesOf(IMonitors.Vote[] memory votes, uint256 from, uint256 until) internal view returns (IMonitors.Vote[] memory some) {
        some = new IMonitors.Vote[](until - from);
        for (uint256 i = from; i < until; ++i) {
            some[i - from] = voteOf(votes, accounts[i]);
        }
        sort(some);
    }

    function contest(IMonitors.Vote[] memory votes) internal {
        vm.prank(operator);
        findings.contest(address(market), orderId, period, votes);
    }
}
