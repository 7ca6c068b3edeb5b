// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The contracts of one version of the market, besides Access itself.
struct Set {
    address registry;
    address pledge;
    address market;
    address credit;
}
