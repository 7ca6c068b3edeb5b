// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { IERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { ICredit } from "./interfaces/ICredit.sol";
import { IGate } from "./interfaces/IGate.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketWithLens } from "./interfaces/IMarketLens.sol";
import { IMarketState } from "./interfaces/IMarketState.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Accrual } from "./libraries/Accrual.sol";
import { Vouching } from "./purse/Vouching.sol";
import { OrderStatus } from "./types/OrderStatus.sol";
import { RIGHT_BUY, RIGHT_END, RIGHT_EXTEND } from "./types/Rights.sol";
import { Terms } from "./types/Terms.sol";

/// @title Purse
/// @dev See {IPurse}. The Market gets an allowance of exactly what an order costs, in the call that pays it: a Market published later can
/// never take more than somebody with a right spends.
contract Purse is Vouching {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @dev How long before its end an order is renewed at the earliest.
    uint256 private constant MAX_WINDOW = 1 days;

    IAccess private immutable _access;
    IERC20 private immutable _credit;

    mapping(uint64 orderId => Standing) private _standing;
    mapping(address by => mapping(bytes32 purchase => uint64 orderId)) private _once;

    constructor(address access, address credit) {
        (_access, _credit) = (IAccess(access), IERC20(credit));
    }

    function buy(IMarket.OrderInput calldata input) public returns (uint64 id) {
        uint32 grantId = _requireRight(RIGHT_BUY);
        (address market,) = _access.gate();
        (Terms memory terms, uint256 rate,) = IRegistry(IMarketState(market).registry()).termsOf(input.provider, input.nodeId);
        // The Market takes the same, and at no other revision than that which `input` names.
        uint256 fee = Accrual.accrued(rate, input.duration);
        if (grantId != 0) _charge(grantId, Cost(input.provider, fee, input.duration, input.duration, terms.nGPU));
        _credit.forceApprove(market, fee);
        id = IMarket(market).createOrder(input);
        if (grantId != 0) _payments[id] = Payment(grantId, fee.toUint96(), 0);
        emit Bought(id, grantId, msg.sender, fee);
    }

    function buyOnce(bytes32 purchase, IMarket.OrderInput calldata input) external returns (uint64 id) {
        id = _once[msg.sender][purchase];
        if (id == 0) {
            id = buy(input);
            _once[msg.sender][purchase] = id;
        }
    }

    function extend(uint64 id, uint32 dur) external {
        uint32 grantId = _requireRightTo(id, RIGHT_EXTEND);
        IMarketWithLens market = _marketOf(id);
        uint256 fee = market.fee(id, dur);
        if (grantId != 0) {
            IMarket.Order memory order = market.getOrder(id);
            uint256 end_ = uint256(order.activateTime) + order.duration + dur;
            _charge(grantId, Cost(order.provider, fee, dur, Math.saturatingSub(end_, block.timestamp), order.nGPU));
            _payments[id].paid += fee.toUint96();
        }
        _extend(market, id, dur, fee);
        emit Extended(id, grantId, msg.sender, fee);
    }

    function end(uint64 id) external {
        _requireRightTo(id, RIGHT_END);
        _marketOf(id).userCancel(id);
        emit Ended(id, msg.sender);
        reckon(id);
    }

    function move(uint64 id, IMarket.Conditions calldata conditions) external returns (uint64 newId) {
        _requireRightTo(id, RIGHT_EXTEND);
        newId = _marketOf(id).move(id, conditions);
        uint32 grantId = _payments[id].grantId;
        if (grantId != 0) {
            uint256 back = _takeBack(id);
            uint256 moved = Math.min(back, _marketOf(newId).getOrder(newId).totalValue);
            _payments[newId] = Payment(grantId, moved.toUint96(), 0);
            _giveBack(grantId, back - moved);
        }
        _standing[newId] = _standing[id];
        delete _standing[id];
        emit Moved(id, newId, msg.sender);
    }

    function reckon(uint64 id) public returns (uint96 back) {
        back = _takeBack(id);
        if (back != 0) _giveBack(_payments[id].grantId, back);
    }

    function keep(uint64 id, Standing calldata standing) external onlyOwner {
        _standing[id] = standing;
        emit Kept(id, standing);
    }

    function renew(uint64 id) external {
        Standing memory standing = _standing[id];
        IMarketWithLens market = _marketOf(id);
        IMarket.Order memory order = market.getOrder(id);
        uint256 end_ = uint256(order.activateTime) + order.duration;
        bool isOurs = order.user == address(this) && order.status == OrderStatus.Active;
        if (standing.step == 0 || !isOurs || end_ >= standing.until) revert NothingToRenew(id);
        if (order.rate > standing.maxRate) revert PriceAboveLimit(standing.maxRate, false);

        uint256 step = uint256(standing.step) * 1 hours;
        uint256 window = Math.min(step / 4, MAX_WINDOW);
        uint256 opens = end_ - window;
        if (block.timestamp < opens) revert TooEarlyToRenew(id, opens);
        uint32 dur = Math.min(step, standing.until - end_).toUint32();
        uint256 tip = Math.min(block.timestamp - opens, window) * standing.maxTip / window;
        uint256 fee = market.fee(id, dur);

        _extend(market, id, dur, fee);
        if (tip != 0) _credit.safeTransfer(msg.sender, tip);
        emit Renewed(id, msg.sender, fee, tip);
    }

    function withdraw(address token, uint256 amount) external onlyOwner {
        emit Withdrawn(token, amount);
        IERC20(token).safeTransfer(msg.sender, amount);
    }

    function withdrawUsdt(uint256 amount) external onlyOwner {
        IGate gate = IGate(ICredit(address(_credit)).gate());
        _credit.forceApprove(address(gate), amount);
        emit Withdrawn(address(_credit), amount);
        gate.withdraw(amount, msg.sender);
        _credit.forceApprove(address(gate), 0);
    }

    function depositWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        try IERC20Permit(address(_credit)).permit(msg.sender, address(this), amount, deadline, v, r, s) { } catch { }
        _credit.safeTransferFrom(msg.sender, address(this), amount);
    }

    function depositUsdt() external returns (uint256 credited) {
        IGate gate = IGate(ICredit(address(_credit)).gate());
        IERC20 usdt = IERC20(gate.usdt());
        uint256 amount = usdt.balanceOf(address(this));
        usdt.forceApprove(address(gate), amount);
        credited = gate.deposit(amount, address(this));
    }

    function boughtOnce(address by, bytes32 purchase) external view returns (uint64 id) {
        return _once[by][purchase];
    }

    function standingOf(uint64 id) external view returns (Standing memory) {
        return _standing[id];
    }

    function _marketOf(uint64 id) private view returns (IMarketWithLens) {
        return IMarketWithLens(_access.marketOf(id));
    }

    function _extend(IMarketWithLens market, uint64 id, uint32 dur, uint256 fee) private {
        _credit.forceApprove(address(market), fee);
        market.extend(id, dur);
    }

    /// @dev Marks as returned what came back of what a key paid for a closed order.
    function _takeBack(uint64 id) private returns (uint96 back) {
        Payment storage payment = _payments[id];
        if (payment.paid == payment.returned) return 0;
        IMarket.Order memory order = _marketOf(id).getOrder(id);
        OrderStatus status = order.status;
        if (status == OrderStatus.Created || status == OrderStatus.Active || status == OrderStatus.Expired) return 0;
        uint256 used = order.remuneration + order.remain;
        back = Math.saturatingSub(payment.paid, used + payment.returned).toUint96();
        if (back == 0) return 0;
        payment.returned += back;
        emit Returned(id, payment.grantId, back);
    }
}
