// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What a Market may do with the nodes of a Registry and the pledges behind them.
/// @dev Selling: reserve and lock, and everything below. Draining: mark deployed, free, unlock and collect penalties, for its own live
/// orders only.
enum Service {
    None,
    Draining,
    Selling
}
