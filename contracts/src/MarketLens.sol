// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketLens } from "./interfaces/IMarketLens.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Accrual } from "./libraries/Accrual.sol";
import { MarketState } from "./market/MarketState.sol";
import { OrderRules } from "./market/OrderRules.sol";
import { MAX_DURATION, PENDING_PERIOD } from "./types/Constants.sol";
import { OrderStatus } from "./types/OrderStatus.sol";
import { Terms } from "./types/Terms.sol";

/// @title MarketLens
/// @notice The views of a Market, which delegatecalls it by way of its office; called directly, the lens knows no order.
/// @dev Every function is a view, so nothing here can change a Market: the code has no instruction that writes, logs, creates, or calls
/// with effect.
contract MarketLens is OrderRules, IMarketLens {
    using SafeCast for uint256;

    uint256 private constant MAX_ORDERS_PAGE = 100;
    uint256 private constant MAX_KEYS_PAGE = 200;
    uint256 private constant MAX_SCAN = 10_000;

    constructor(Modules memory modules) MarketState(modules) { }

    function feeOrder(address provider, uint64 nodeId, uint32 duration) public view returns (uint256 total, uint32 rev) {
        uint256 rate;
        (, rate, rev) = IRegistry(registry).termsOf(provider, nodeId);
        _requireDuration(duration, IRegistry(registry).minTermOf(provider, nodeId), MAX_DURATION);
        total = Accrual.accrued(rate, duration);
    }

    function quoteOrder(address provider, uint64 nodeId, uint32 duration)
        external
        view
        returns (uint256 total, uint32 rev, IMarket.Conditions memory conditions)
    {
        (total, rev) = feeOrder(provider, nodeId, duration);
        conditions = _conditions();
    }

    function fee(uint64 id, uint32 dur) external view returns (uint256) {
        Record storage o = _existing(id);
        return _extensionFee(o.rate, o.duration, dur);
    }

    function quoteCancel(uint64 id, bool byProvider)
        external
        view
        returns (uint256 toUser, uint256 toProvider, uint256 commission_, uint256 compensation, uint256 pending)
    {
        Record storage o = _existing(id);
        Outcome memory outcome = byProvider ? _providerOutcome(id, o) : _userOutcome(id, o);
        pending = outcome.pending;
        compensation = outcome.compensation + _owedTwice(o, _reports[id]);
        commission_ = Accrual.commission(_remuneration(o), outcome.gross, o.commissionBps);
        toProvider = outcome.gross - commission_;
        toUser = _totalValue(o) - _remuneration(o) - outcome.gross - pending + compensation;
    }

    function getOrder(uint64 id) public view returns (IMarket.Order memory order) {
        Record storage o = _orders[id];
        OrderStatus status = _status(o);
        if (status == OrderStatus.None) return order;
        bool isActivated = _isMarked(o, ACTIVATED);
        order.id = id;
        order.user = o.user;
        order.provider = o.provider;
        order.nodeId = o.nodeId;
        order.totalValue = _totalValue(o);
        order.remuneration = _remuneration(o);
        order.remain = _isLive(o) ? order.totalValue - order.remuneration : _pending(o);
        order.rate = o.rate;
        order.activateTime = isActivated ? o.since : 0;
        order.lastSettleTime = o.since + o.settled;
        order.duration = o.duration;
        order.down = o.down;
        order.probation = o.probation;
        order.holdback = uint32(o.holdbackHours) * 1 hours;
        order.penalty = uint32(o.penaltyHours) * 1 hours;
        order.commissionBps = o.commissionBps;
        order.status = status == OrderStatus.Active && block.timestamp >= _end(o) ? OrderStatus.Expired : status;
        order.userConfirm = _isMarked(o, CONFIRMED);
        order.providerConfirm = isActivated;
        order.deployed = _isMarked(o, DEPLOYED);
        Terms memory terms = IRegistry(registry).termsAt(o.provider, o.nodeId, o.rev);
        (order.nCPU, order.nGPU, order.nMEM, order.nDISK) = (terms.nCPU, terms.nGPU, terms.nMEM, terms.nDISK);
        (order.pCPU, order.pGPU, order.pMEM, order.pDISK) = (terms.pCPU, terms.pGPU, terms.pMEM, terms.pDISK);
        order.reportedUntil = _reports[id].asOf;
        order.downSince = _reports[id].since;
        if (_isPending(o)) order.pendingUntil = _cancelledAt(o) + PENDING_PERIOD;
        order.creditedTwice = _reports[id].twice;
        if (_isLive(o) || _isMarked(o, UNBOOKED)) order.locked = _promise(o) - Accrual.accrued(o.rate, order.creditedTwice);
    }

    function getOrders(uint64 startId, uint256 num) external view returns (IMarket.Order[] memory list) {
        if (num > MAX_ORDERS_PAGE) revert IMarket.PageTooLong(num, MAX_ORDERS_PAGE);
        uint256 start = startId < firstOrderId ? firstOrderId : startId;
        uint256 past = uint256(_totals.lastId) + 1;
        if (start >= past) return list;
        uint256 size = num < past - start ? num : past - start;
        list = new IMarket.Order[](size);
        for (uint256 i = 0; i < size; ++i) {
            list[i] = getOrder((start + i).toUint64());
        }
    }

    function getKeys(address user, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next) {
        return _page(user, cursor, num, true);
    }

    function getProList(address provider, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next) {
        return _page(provider, cursor, num, false);
    }

    function maintenanceOf(uint64 id) external view returns (uint32) {
        return _reports[id].announced;
    }

    function commission() external view returns (uint256) {
        return _commission;
    }

    function rewards() external view returns (uint256) {
        return _rewards;
    }

    function rewardsLeftToday() external view returns (uint256) {
        return _rewardsLeft();
    }

    function params() external view returns (IMarket.Params memory) {
        Totals memory totals = _totals;
        return IMarket.Params({
            commissionBps: totals.commissionBps,
            probation: totals.probation,
            holdback: uint32(totals.holdbackHours) * 1 hours,
            penalty: uint32(totals.penaltyHours) * 1 hours,
            rewardDayCap: _rewardDayCap,
            interestShare: _interestShare,
            monitorShare: _monitorShare
        });
    }

    function _owedTwice(Record storage o, Reports memory reports) private view returns (uint256) {
        return Accrual.accrued(o.rate, _twice(o, reports)) - Accrual.accrued(o.rate, reports.twice);
    }

    /// @dev Goes through the orders, newest first, and stops after MAX_SCAN of them: a page may hold fewer than there are.
    function _page(address account, uint64 cursor, uint256 num, bool bought) private view returns (uint64[] memory ids, uint64 next) {
        if (num > MAX_KEYS_PAGE) revert IMarket.PageTooLong(num, MAX_KEYS_PAGE);
        ids = new uint64[](num);
        uint256 size = 0;
        uint256 first = firstOrderId;
        uint256 id = cursor == 0 || cursor > _totals.lastId ? _totals.lastId : cursor;
        uint256 last = id >= first + MAX_SCAN ? id - MAX_SCAN : first - 1;
        for (; id > last && size < num; --id) {
            Record storage o = _orders[id.toUint64()];
            if ((bought ? o.user : o.provider) == account) ids[size++] = id.toUint64();
        }
        if (id >= first) next = id.toUint64();
        // The page is never longer than the memory allocated for it.
        assembly ("memory-safe") {
            mstore(ids, size)
        }
    }
}
