// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { EIP712 } from "solady/utils/EIP712.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { IAccess } from "../interfaces/IAccess.sol";
import { RewardSpans } from "../libraries/RewardSpans.sol";
import { Parameters } from "./Parameters.sol";

/// @title Treasury
/// @notice Money that has left escrow: earnings, commission and, in a pool of its own, rewards.
abstract contract Treasury is Parameters, EIP712 {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    bytes32 private constant WITHDRAW_TYPEHASH = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");

    function proWithdraw() external returns (uint256 amount) {
        return _withdrawEarned(msg.sender);
    }

    function proWithdrawTo(address to) external returns (uint256 amount) {
        if (to == address(0)) revert ZeroAddress();
        return _withdrawEarned(to);
    }

    function withdraw(uint256 amount, bytes calldata sig) external {
        if (amount == 0) revert ZeroAmount();
        (uint256 deadline, bytes memory signature) = abi.decode(sig, (uint256, bytes));
        if (block.timestamp > deadline) revert VoucherExpired(deadline);
        uint256 nonce = nonces[msg.sender];
        _requireValidator(keccak256(abi.encode(WITHDRAW_TYPEHASH, msg.sender, amount, nonce, deadline)), signature);
        uint256 left = _rewardsLeft();
        if (amount > left) revert DayCapExceeded(amount, left);
        if (amount > _rewards) revert RewardsTooLow(amount, _rewards);

        nonces[msg.sender] = nonce + 1;
        _rewarded = RewardSpans.add(_rewarded, amount);
        _rewards -= amount.toUint128();
        emit VoucherPaid(msg.sender, amount, nonce);

        IERC20(credit).safeTransfer(msg.sender, amount);
    }

    function fundRewards(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();

        _rewards += amount.toUint128();
        emit RewardsFunded(msg.sender, amount);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), amount);
    }

    function takeCommission() external returns (uint256 amount) {
        if (msg.sender != IAccess(access).treasury()) revert NotTreasury(msg.sender);
        amount = _commission;
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        _commission = 0;
        emit CommissionTaken(msg.sender, amount);

        IERC20(credit).safeTransfer(msg.sender, amount);
    }

    function _requireValidator(bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = _hashTypedData(structHash);
        if (!SignatureCheckerLib.isValidSignatureNow(IAccess(access).validator(), digest, signature)) revert BadSignature();
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Rackfair Market", "1");
    }

    function _withdrawEarned(address to) private returns (uint256 amount) {
        amount = earned[msg.sender];
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        earned[msg.sender] = 0;
        emit ProviderWithdrawn(msg.sender, to, amount);

        IERC20(credit).safeTransfer(to, amount);
    }
}
