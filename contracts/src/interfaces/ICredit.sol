// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Credit
/// @notice The money of the market: an ERC-20 with 18 decimals, 1 Credit = 1 USD, with EIP-2612 permits, ERC-5267 and ERC-6093 errors, as OpenZeppelin
/// writes them. It has no pause, blocklist, hook or transfer fee, and no allowance that its holder did not give.
/// @dev Credit is IERC20Metadata, IERC20Permit, IERC5267 and ERC20Burnable too.
interface ICredit {
    /// @notice Ownership can be handed over, never given up.
    error RenounceDisabled();

    /// @notice Credit is created by `gate`, for the USDT it took. Its owner may do so on chain 2985 only.
    error MintThroughGate(address gate);

    /// @notice Creates `amount` wei for `to`. The gate only, and on chain 2985 the owner.
    /// Reverts OwnableUnauthorizedAccount, MintThroughGate, ERC20InvalidReceiver.
    function mint(address to, uint256 amount) external;

    /// @notice The contract that changes USDT into Credit and back. Set for ever by the constructor.
    function gate() external view returns (address);
}
