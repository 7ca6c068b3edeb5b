// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Credit
/// @notice The money of the market: an ERC-20 with 18 decimals, 1 Credit = 1 USD, and EIP-2612 permits. It has no pause, blocklist, hook or transfer fee.
/// @dev Credit is IERC20 and IERC20Permit too. Its token errors carry no arguments: InsufficientBalance, InsufficientAllowance, InvalidPermit, PermitExpired.
interface ICredit {
    /// @notice Ownership can be handed over, never given up.
    error RenounceDisabled();

    /// @notice Creates `amount` wei for `to`. Owner only. Reverts OwnableUnauthorizedAccount.
    function mint(address to, uint256 amount) external;

    /// @notice Destroys `amount` wei of the caller. Reverts InsufficientBalance.
    function burn(uint256 amount) external;

    /// @notice Destroys `amount` wei of `from`, out of the allowance it gave to the caller. Reverts InsufficientAllowance, InsufficientBalance.
    function burnFrom(address from, uint256 amount) external;
}
