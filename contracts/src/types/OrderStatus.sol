// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The status of an order. Completed, UserCancelled, ProviderCancelled and ProbationRefunded are terminal.
/// @dev Expired is never stored: an Active order at or past its end is reported as Expired.
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
