// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Metadata } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @title Gate
/// @notice Changes USDT into Credit and back, one to one, for anybody and at any time. It has no owner, no fee and no pause, so that a
/// Credit is worth a USDT for as long as USDT itself can be transferred. Credit that passed no gate exists on the development chain only.
interface IGate {
    /// @notice `received` units of USDT arrived from `from`, and `credited` wei of Credit were minted to `to`.
    event Deposited(address indexed from, address indexed to, uint256 received, uint256 credited);
    /// @notice `burned` wei of Credit of `from` were burned, and `paid` units of USDT went to `to`.
    event Withdrawn(address indexed from, address indexed to, uint256 burned, uint256 paid);

    /// @notice The token has more decimals than Credit.
    error TooManyDecimals(uint8 decimals);
    /// @notice Less than the smallest unit of USDT, which is 10^12 wei of Credit.
    error AmountTooSmall();
    /// @notice The receiver is the zero address or the gate itself, where money would be lost.
    error ReceiverRefused(address to);

    /// @notice Takes `amount` units of USDT (6 decimals: 1,000,000 = 1 USD) from the caller and mints Credit to `to`. The amount received
    /// counts, in case USDT takes a fee. Reverts ReceiverRefused, AmountTooSmall and as USDT does.
    /// @return credited Wei of Credit. Example: deposit(1_000_000, to) mints 10^18.
    function deposit(uint256 amount, address to) external returns (uint256 credited);

    /// @notice Burns Credit of the caller, out of its allowance for the gate, and pays USDT to `to`. `amount` is in wei and is rounded down
    /// to whole units of USDT; the rest stays with the caller. Reverts ReceiverRefused, AmountTooSmall, ERC20InsufficientAllowance,
    /// ERC20InsufficientBalance and as USDT does.
    /// @return paid Units of USDT. Example: withdraw(10^18 + 5, to) pays 1,000,000 and burns 10^18.
    function withdraw(uint256 amount, address to) external returns (uint256 paid);

    /// @notice `withdraw` with an EIP-2612 permit of `amount` for the gate, in one transaction. A permit that was front-run does no harm.
    /// Reverts as withdraw.
    function withdrawWithPermit(uint256 amount, address to, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external returns (uint256 paid);

    /// @notice The USDT that it changes.
    function usdt() external view returns (IERC20Metadata);

    /// @notice What the gate could pay now, in wei of Credit. Never less than Credit.totalSupply() where only the gate mints Credit.
    function reserves() external view returns (uint256);
}
