// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { IRegistry } from "../interfaces/IRegistry.sol";
import { Accrual } from "../libraries/Accrual.sol";
import { RewardSpans } from "../libraries/RewardSpans.sol";
import { ShortText } from "../libraries/ShortText.sol";
import { LOST_AFTER, REPORT_FRESH, START } from "../types/Constants.sol";
import { OrderStatus } from "../types/OrderStatus.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { MarketState } from "./MarketState.sol";

/// @title OrderRules
/// @notice How an order's money is split, computed from the state: the Market and its lens share this code, so that a quote matches the
/// outcome.
abstract contract OrderRules is MarketState {
    using SafeCast for uint256;

    /// @dev How a cancel ends an order: what the provider is paid, what waits for reports, and what the provider owes the buyer for
    /// dropping the order, in addition to what it owes for downtime.
    struct Outcome {
        OrderStatus status;
        uint256 time;
        uint256 upTo;
        uint256 gross;
        uint256 pending;
        uint256 compensation;
    }

    function _existing(uint64 id) internal view returns (Record storage o) {
        o = _orders[id];
        if (_status(o) == OrderStatus.None) revert IMarket.OrderNotFound(id);
    }

    function _active(uint64 id) internal view returns (Record storage o) {
        o = _orders[id];
        if (_status(o) != OrderStatus.Active) _requireActive(id, _existing(id));
    }

    function _ofUser(uint64 id) internal view returns (Record storage o) {
        o = _existing(id);
        if (msg.sender != o.user) revert IMarket.NotUser(id, msg.sender);
    }

    function _requireActive(uint64 id, Record storage o) internal view {
        OrderStatus status = _status(o);
        if (status != OrderStatus.Active) revert IMarket.WrongStatus(id, status);
    }

    function _requireRunning(uint64 id, Record storage o) internal view {
        uint40 end = _end(o);
        if (block.timestamp >= end) revert IMarket.OrderEnded(id, end);
    }

    /// @dev The conditions of the next order.
    function _conditions() internal view returns (IMarket.Conditions memory) {
        Totals memory totals = _totals;
        return IMarket.Conditions({
            probation: totals.probation,
            holdback: uint32(totals.holdbackHours) * 1 hours,
            penalty: uint32(totals.penaltyHours) * 1 hours,
            commissionBps: totals.commissionBps
        });
    }

    function _requireOperator(address provider) internal view {
        if (msg.sender != provider && msg.sender != IRegistry(registry).operatorOf(provider)) {
            revert IMarket.NotOperator(msg.sender, provider);
        }
    }

    function _requireApp(string calldata app) internal pure {
        if (bytes(app).length > ShortText.MAX) revert IMarket.AppTooLong(bytes(app).length, ShortText.MAX);
    }

    function _requireDuration(uint256 duration, uint256 min, uint256 max) internal pure {
        if (duration < min || duration > max) revert IMarket.DurationOutOfBounds(duration, min, max);
    }

    function _isLive(Record storage o) internal view returns (bool) {
        OrderStatus status = _status(o);
        return status == OrderStatus.Created || status == OrderStatus.Active;
    }

    /// @dev Only for an Active order. What was once deployed has been used: removing the application does not bring the probation back.
    function _inProbation(Record storage o) internal view returns (bool) {
        return block.timestamp < o.since + o.probation && !_isMarked(o, CONFIRMED | DEPLOYED);
    }

    /// @dev The final reports show that the node was away for a whole day without interruption, and either up to the end of its order, or
    /// until so recently that nothing could show yet that it is back.
    function _isLost(Record storage o, Reports memory reports) internal view returns (bool) {
        (uint256 since, uint256 asOf) = (reports.since, reports.asOf);
        if (since == 0 || asOf - since < LOST_AFTER) return false;
        return block.timestamp < asOf + REPORT_FRESH || asOf >= _end(o);
    }

    /// @dev Only for a Created order.
    function _missedStart(Record storage o) internal view returns (bool) {
        return block.timestamp >= o.since + START;
    }

    function _end(Record storage o) internal view returns (uint40) {
        return o.since + o.duration;
    }

    /// @dev Either party cancelled, and part of the payment waits for reports. The status is in the slot that every reader loads first.
    function _isPending(Record storage o) internal view returns (bool) {
        OrderStatus status = _status(o);
        return (status == OrderStatus.UserCancelled || status == OrderStatus.ProviderCancelled) && o.pendingFor != 0;
    }

    /// @dev Only for an order whose payment is pending.
    function _cancelledAt(Record storage o) internal view returns (uint40) {
        return o.since + o.pendingFor;
    }

    function _due(Record storage o, uint256 time) internal view returns (uint256) {
        return _dueAfter(o, o.down, time);
    }

    function _dueAfter(Record storage o, uint256 down, uint256 time) private view returns (uint256) {
        (uint256 rate, uint256 paid) = (o.rate, o.paid);
        return Accrual.due(rate, Accrual.accrued(rate, paid), o.since, down, time);
    }

    function _edge(Record storage o) internal view returns (uint256) {
        return Accrual.edge(block.timestamp, uint256(o.holdbackHours) * 1 hours, o.since, _end(o));
    }

    /// @dev A(duration): what the user paid, extensions included.
    function _totalValue(Record storage o) internal view returns (uint256) {
        return Accrual.accrued(o.rate, o.duration);
    }

    /// @dev A(paid): what the provider earned, commission included.
    function _remuneration(Record storage o) internal view returns (uint256) {
        return Accrual.accrued(o.rate, o.paid);
    }

    /// @dev What is kept of a cancelled order until the reports on its last hours are in. Downtime only reduces it.
    function _pending(Record storage o) internal view returns (uint256) {
        uint256 pendingFor = o.pendingFor;
        if (pendingFor == 0) return 0;
        return _dueAfter(o, o.pendingDown, o.since + pendingFor);
    }

    /// @dev A(penalty): what is locked of the provider's pledge, and what it owes for dropping the order.
    function _promise(Record storage o) internal view returns (uint256) {
        return Accrual.accrued(o.rate, uint256(o.penaltyHours) * 1 hours);
    }

    /// @dev What is left of the promise after compensation for all downtime beyond the allowance: what the provider owes for dropping the
    /// order.
    function _restOfPromise(Record storage o, Reports memory reports) internal view returns (uint256) {
        return _promise(o) - Accrual.accrued(o.rate, _twice(o, reports));
    }

    /// @dev A(1 h), out of `rest` of the promise: for an order that its provider never started, or dropped before it was used.
    function _startPenalty(Record storage o, uint256 rest) private view returns (uint256) {
        return Math.min(Accrual.accrued(o.rate, 1 hours), rest);
    }

    /// @dev The downtime to be additionally compensated, as of the newest report: it does not depend on when it is booked.
    function _twice(Record storage o, Reports memory reports) internal view returns (uint256) {
        uint256 asOf = reports.asOf;
        if (asOf == 0) return 0;
        return Accrual.twice(reports.twice, o.down, reports.announced, asOf - o.since, uint256(o.penaltyHours) * 1 hours);
    }

    /// @dev All that an order may ever earn has to fit `remuneration`.
    function _extensionFee(uint256 rate, uint256 duration, uint256 dur) internal pure returns (uint256) {
        return Accrual.accrued(rate, duration + dur).toUint96() - Accrual.accrued(rate, duration);
    }

    function _userOutcome(uint64 id, Record storage o) internal view returns (Outcome memory outcome) {
        outcome.status = OrderStatus.UserCancelled;
        outcome.time = block.timestamp;
        OrderStatus status = _status(o);
        if (status == OrderStatus.Created) {
            if (_missedStart(o)) (outcome.status, outcome.compensation) = (OrderStatus.ProviderCancelled, _startPenalty(o, _promise(o)));
            return outcome;
        }
        if (status != OrderStatus.Active) revert IMarket.WrongStatus(id, status);
        Reports memory reports = _reports[id];
        if (_isLost(o, reports)) return _lostOutcome(o, reports);
        uint256 end = _end(o);
        if (block.timestamp >= end) {
            (outcome.status, outcome.upTo, outcome.gross) = (OrderStatus.Completed, end, _due(o, end));
        } else if (_inProbation(o)) {
            outcome.status = OrderStatus.ProbationRefunded;
            _payAtOnce(o, outcome);
        } else {
            _payWhatIsKnown(o, reports, outcome);
        }
    }

    function _providerOutcome(uint64 id, Record storage o) internal view returns (Outcome memory outcome) {
        outcome.status = OrderStatus.ProviderCancelled;
        outcome.time = block.timestamp;
        Reports memory reports = _reports[id];
        uint256 rest = _restOfPromise(o, reports);
        outcome.compensation = _startPenalty(o, rest);
        if (_status(o) == OrderStatus.Created) return outcome;
        _requireActive(id, o);
        _requireRunning(id, o);
        if (_inProbation(o)) {
            _payAtOnce(o, outcome);
            return outcome;
        }
        if (_isLost(o, reports)) return _lostOutcome(o, reports);
        _payWhatIsKnown(o, reports, outcome);
        outcome.compensation = o.down <= Accrual.excused(block.timestamp - o.since) ? rest : 0;
    }

    /// @dev For either party's end of an order in probation: every second since the activation is paid, and no report is waited for.
    function _payAtOnce(Record storage o, Outcome memory outcome) private view {
        (outcome.upTo, outcome.gross) = (block.timestamp, _due(o, block.timestamp));
    }

    /// @dev For either party's end of an order in use: hours that no report covers yet stay pending until one does.
    function _payWhatIsKnown(Record storage o, Reports memory reports, Outcome memory outcome) private view {
        outcome.upTo = Math.max(_edge(o), reports.asOf);
        outcome.gross = _due(o, outcome.upTo);
        outcome.pending = _due(o, block.timestamp) - outcome.gross;
    }

    /// @dev As if the provider had dropped the order in the first second of its absence: nothing is due from then on.
    function _lostOutcome(Record storage o, Reports memory reports) internal view returns (Outcome memory outcome) {
        outcome.status = OrderStatus.ProviderCancelled;
        (outcome.time, outcome.upTo) = (reports.since, reports.asOf);
        outcome.gross = _due(o, outcome.upTo);
        outcome.compensation = _restOfPromise(o, reports);
    }

    function _rewardsLeft() internal view returns (uint256) {
        uint256 paid = RewardSpans.paid(_rewarded);
        return _rewardDayCap > paid ? _rewardDayCap - paid : 0;
    }
}
