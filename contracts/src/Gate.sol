// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Metadata } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ReentrancyGuard } from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import { Credit } from "./Credit.sol";
import { IGate } from "./interfaces/IGate.sol";

/// @title Gate
/// @dev See {IGate}.
contract Gate is IGate, ReentrancyGuard {
    using SafeERC20 for IERC20Metadata;

    Credit public immutable credit;
    IERC20Metadata public immutable usdt;
    /// @notice Wei of Credit per unit of USDT.
    uint256 public immutable scale;

    constructor(address credit_, address usdt_) {
        credit = Credit(credit_);
        usdt = IERC20Metadata(usdt_);
        uint8 decimals = usdt.decimals();
        if (decimals > 18) revert TooManyDecimals(decimals);
        scale = 10 ** (18 - decimals);
    }

    function deposit(uint256 amount, address to) external nonReentrant returns (uint256 credited) {
        _requireReceiver(to);
        uint256 before = usdt.balanceOf(address(this));
        usdt.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = usdt.balanceOf(address(this)) - before;
        if (received == 0) revert AmountTooSmall();
        credited = received * scale;
        credit.mint(to, credited);
        emit Deposited(msg.sender, to, received, credited);
    }

    function withdraw(uint256 amount, address to) external returns (uint256 paid) {
        return _withdraw(amount, to);
    }

    function withdrawWithPermit(uint256 amount, address to, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        returns (uint256 paid)
    {
        try credit.permit(msg.sender, address(this), amount, deadline, v, r, s) { } catch { }
        return _withdraw(amount, to);
    }

    function reserves() external view returns (uint256) {
        return usdt.balanceOf(address(this)) * scale;
    }

    function _withdraw(uint256 amount, address to) private nonReentrant returns (uint256 paid) {
        _requireReceiver(to);
        paid = amount / scale;
        if (paid == 0) revert AmountTooSmall();
        uint256 burned = paid * scale;
        credit.burnFrom(msg.sender, burned);
        usdt.safeTransfer(to, paid);
        emit Withdrawn(msg.sender, to, burned, paid);
    }

    function _requireReceiver(address to) private view {
        if (to == address(0) || to == address(this)) revert ReceiverRefused(to);
    }
}
