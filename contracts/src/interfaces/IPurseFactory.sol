// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title PurseFactory
/// @notice Makes one purse per owner, at an address that is known before it exists.
interface IPurseFactory {
    /// @notice `purse` of `owner` exists from now on.
    event PurseCreated(address indexed owner, address indexed purse);

    /// @notice Makes the purse of `owner`. Anyone: it belongs to `owner` whoever pays for it.
    /// @dev Returns the purse that is there if there is one. Reverts OwnerMissing.
    function create(address owner) external returns (address purse);

    /// @notice The address of `owner`'s purse, and whether it exists yet. Credit may be sent there before.
    function purseOf(address owner) external view returns (address purse, bool exists);

    /// @notice The code that every purse runs.
    function implementation() external view returns (address);

    /// @notice The market that its purses buy from, and the token that they hold.
    function access() external view returns (address);
    function credit() external view returns (address);

    /// @notice A purse has an owner.
    error OwnerMissing();
}
