// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Credit
/// @notice The currency of the market: an ERC-20 with 18 decimals, 1 Credit = 1 USD, with EIP-2612 permits, ERC-5267 and ERC-6093 errors,
/// based on OpenZeppelin. It has no pause, blocklist, hook or transfer fee, and no allowance that its holder did not give.
/// @dev Credit also implements IERC20Metadata, IERC20Permit, IERC5267 and ERC20Burnable.
interface ICredit {
    /// @notice Ownership can be transferred, never renounced.
    error RenounceDisabled();

    /// @notice Only `gate` mints Credit, for the USDT it receives. The owner may mint only on chain 2985.
    error MintThroughGate(address gate);

    /// @notice Mints `amount` wei to `to`. Gate only, and on chain 2985 the owner. Reverts OwnableUnauthorizedAccount, MintThroughGate,
    /// ERC20InvalidReceiver.
    function mint(address to, uint256 amount) external;

    /// @notice The contract that changes USDT into Credit and back. Immutable, set by the constructor.
    function gate() external view returns (address);
}
