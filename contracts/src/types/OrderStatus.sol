// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Where an order stands. Completed, UserCancelled, ProviderCancelled and ProbationRefunded never change again.
/// @dev Expired is never stored: it is how an Active order at or past its end is shown.
enum OrderStatus {
    None,
    Created,
    Active,
    Completed,
    UserCancelled,
    ProviderCancelled,
    ProbationRefunded,
    Expired
}
