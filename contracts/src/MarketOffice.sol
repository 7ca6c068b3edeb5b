// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketOffice } from "./interfaces/IMarketOffice.sol";
import { IPledge } from "./interfaces/IPledge.sol";
import { RewardSpans } from "./libraries/RewardSpans.sol";
import { MarketState } from "./market/MarketState.sol";
import { OrderRules } from "./market/OrderRules.sol";
import { Parameters } from "./market/Parameters.sol";
import { Validated } from "./market/Validated.sol";
import { OrderStatus } from "./types/OrderStatus.sol";

/// @title MarketOffice
/// @notice The functions of a Market besides selling, settling and closing orders: nothing here touches escrow, a node or a lock. The
/// Market delegatecalls it.
/// @dev Calls that neither the Market nor the office implements are forwarded to the lens.
contract MarketOffice is OrderRules, Parameters, Validated, IMarketOffice {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    bytes32 private constant WITHDRAW_TYPEHASH = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");

    /// @notice See IMarketOffice.
    address public immutable lens;

    modifier onlyOwner() {
        if (msg.sender != IAccess(access).owner()) revert IMarket.NotOwner(msg.sender);
        _;
    }

    constructor(Modules memory modules, address lens_) MarketState(modules) {
        lens = lens_;
    }

    fallback() external {
        address target = lens;
        assembly ("memory-safe") {
            let data := mload(0x40)
            calldatacopy(data, 0, calldatasize())
            let done := delegatecall(gas(), target, data, calldatasize(), 0, 0)
            returndatacopy(data, 0, returndatasize())
            if done { return(data, returndatasize()) }
            revert(data, returndatasize())
        }
    }

    function userConfirm(uint64 id) external {
        Record storage o = _ofUser(id);
        _requireActive(id, o);
        if (!_inProbation(o)) revert IMarket.NotInProbation(id);

        _mark(o, CONFIRMED);
        emit IMarket.OrderConfirmed(id);
    }

    function setApp(uint64 id, string calldata app) external {
        Record storage o = _existing(id);
        if (msg.sender != o.user) _requireOperator(o.provider);
        OrderStatus status = _status(o);
        if (status == OrderStatus.Active) _requireRunning(id, o);
        else if (status != OrderStatus.Created) revert IMarket.WrongStatus(id, status);
        _requireApp(app);

        emit IMarket.AppSet(id, app);
    }

    function proWithdraw() external returns (uint256 amount) {
        return _withdrawEarned(msg.sender);
    }

    function proWithdrawTo(address to) external returns (uint256 amount) {
        if (to == address(0)) revert IMarket.ZeroAddress();
        return _withdrawEarned(to);
    }

    function withdraw(uint256 amount, bytes calldata sig) external {
        if (amount == 0) revert IMarket.ZeroAmount();
        (uint256 deadline, bytes memory signature) = abi.decode(sig, (uint256, bytes));
        if (block.timestamp > deadline) revert IMarket.VoucherExpired(deadline);
        uint256 nonce = nonces[msg.sender];
        _requireValidator(keccak256(abi.encode(WITHDRAW_TYPEHASH, msg.sender, amount, nonce, deadline)), signature);
        uint256 left = _rewardsLeft();
        if (amount > left) revert IMarket.DayCapExceeded(amount, left);
        if (amount > _rewards) revert IMarket.RewardsTooLow(amount, _rewards);

        nonces[msg.sender] = nonce + 1;
        _rewarded = RewardSpans.add(_rewarded, amount);
        _rewards -= amount.toUint128();
        emit IMarket.VoucherPaid(msg.sender, amount, nonce);

        IERC20(credit).safeTransfer(msg.sender, amount);
    }

    function fundRewards(uint256 amount) external {
        if (amount == 0) revert IMarket.ZeroAmount();

        _rewards += amount.toUint128();
        emit IMarket.RewardsFunded(msg.sender, amount);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), amount);
    }

    function takeCommission() external returns (uint256 amount) {
        if (msg.sender != IAccess(access).treasury()) revert IMarket.NotTreasury(msg.sender);
        uint256 taken = _commission;
        if (taken == 0) revert IMarket.NothingToWithdraw(msg.sender);
        uint256 toInterest = taken * _interestShare / 10_000;
        uint256 toMonitors = taken * _monitorShare / 10_000;
        amount = taken - toInterest - toMonitors;

        _commission = 0;
        emit IMarket.CommissionTaken(msg.sender, amount, toInterest, toMonitors);

        if (toInterest != 0) {
            IERC20(credit).forceApprove(pledge, toInterest);
            IPledge(pledge).fundInterest(toInterest);
        }
        if (toMonitors != 0) IERC20(credit).safeTransfer(IAccess(access).validator(), toMonitors);
        IERC20(credit).safeTransfer(msg.sender, amount);
    }

    function setCommissionBps(uint16 value) external onlyOwner {
        _setCommissionBps(value);
    }

    function setProbation(uint32 value) external onlyOwner {
        _setProbation(value);
    }

    function setHoldback(uint32 value) external onlyOwner {
        _setHoldback(value);
    }

    function setPenalty(uint32 value) external onlyOwner {
        _setPenalty(value);
    }

    function setInterestShare(uint16 value) external onlyOwner {
        _setInterestShare(value);
    }

    function setMonitorShare(uint16 value) external onlyOwner {
        _setMonitorShare(value);
    }

    function setRewardDayCap(uint256 value) external onlyOwner {
        _setRewardDayCap(value);
    }

    function _withdrawEarned(address to) private returns (uint256 amount) {
        amount = earned[msg.sender];
        if (amount == 0) revert IMarket.NothingToWithdraw(msg.sender);

        earned[msg.sender] = 0;
        emit IMarket.ProviderWithdrawn(msg.sender, to, amount);

        IERC20(credit).safeTransfer(to, amount);
    }
}
