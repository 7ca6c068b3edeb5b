// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../interfaces/IMonitors.sol";
import { ReportTree } from "./ReportTree.sol";

/// @title Reports
/// @notice What a monitor reported of an order, as a leaf of its tree.
library Reports {
    /// @notice The key of an order in every tree.
    function placeOf(address market, uint64 orderId) internal pure returns (bytes32) {
        return keccak256(abi.encode(market, orderId));
    }

    /// @notice Reverts NotRevealed if there is no root, NotReported if the report is not under it, or marks an epoch as down that it did
    /// not observe.
    function requireUnder(bytes32 root, address market, uint64 orderId, uint64 period, IMonitors.Vote calldata vote) internal pure {
        if (root == 0) revert IMonitors.NotRevealed(vote.monitor, period);
        (uint96 observed, uint96 down) = (vote.report.observed, vote.report.down);
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(market, orderId, period, observed, down))));
        bytes32 place = placeOf(market, orderId);
        if (down & ~observed != 0 || ReportTree.rootOf(place, leaf, vote.proof) != root) revert IMonitors.NotReported(vote.monitor);
    }
}
