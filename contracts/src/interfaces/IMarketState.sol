// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title MarketState
/// @notice What a Market and its lens share: the addresses of the other contracts, and two balances by account.
interface IMarketState {
    /// @notice The id of this Market's first order.
    function firstOrderId() external view returns (uint64);

    /// @notice Access, Registry, Pledge and Credit of this Market.
    function access() external view returns (address);
    function registry() external view returns (address);
    function pledge() external view returns (address);
    function credit() external view returns (address);

    /// @notice What `provider` earned and has not withdrawn, after commission.
    function earned(address provider) external view returns (uint256);

    /// @notice The nonce of `account`'s next voucher.
    function nonces(address account) external view returns (uint256);
}
