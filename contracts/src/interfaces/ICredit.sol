// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Credit
/// @notice The money of the market: an ERC-20 with 18 decimals, 1 Credit = 1 USD, with EIP-2612 permits, ERC-5267 and ERC-6093 errors, as OpenZeppelin
/// writes them. It has no pause, blocklist, hook or transfer fee, and no allowance that its holder did not give.
/// @dev Credit is IERC20Metadata, IERC20Permit, IERC5267 and ERC20Burnable too.
interface ICredit {
    /// @notice Ownership can be handed over, never given up.
    error RenounceDisabled();

    /// @notice Creates `amount` wei for `to`. Owner only. Reverts OwnableUnauthorizedAccount, ERC20InvalidReceiver.
    function mint(address to, uint256 amount) external;
}
