// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IPledge } from "../interfaces/IPledge.sol";
import { IRegistry } from "../interfaces/IRegistry.sol";
import { Accrual } from "../libraries/Accrual.sol";
import { PENDING_PERIOD, REPORT_PERIOD } from "../types/Constants.sol";
import { OrderStatus } from "../types/OrderStatus.sol";
import { OrderBook } from "./OrderBook.sol";
import { Validated } from "./Validated.sol";

/// @title Settlement
/// @notice How an order is paid and how it ends. Neither a pause nor a new version blocks anything here.
abstract contract Settlement is OrderBook, Validated {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint256 private constant MAX_SETTLE_MANY = 50;
    bytes32 private constant DOWNTIME_TYPEHASH = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");

    function proSettle(uint64 id) external {
        Record storage o = _existing(id);
        if (_isPending(o)) return _settlePending(id, o);
        _requireActive(id, o);

        _settle(id, o);
    }

    function proSettleMany(uint64[] calldata ids) external {
        if (ids.length > MAX_SETTLE_MANY) revert PageTooLong(ids.length, MAX_SETTLE_MANY);

        for (uint256 i = 0; i < ids.length; ++i) {
            Record storage o = _orders[ids[i]];
            if (_status(o) == OrderStatus.Active) _settle(ids[i], o);
            else if (_isPending(o)) _settlePending(ids[i], o);
        }
    }

    function creditDowntime(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) external {
        _creditDowntime(id, total, asOf, sig);
    }

    function release(uint64 id) external {
        _release(id);
    }

    function userCancel(uint64 id) external {
        _userCancel(id);
    }

    function userCancelWith(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) external {
        Record storage o = _ofUser(id);
        _creditDowntime(id, total, asOf, sig);
        if (_status(o) == OrderStatus.Active) _userCancel(id);
    }

    function providerCancel(uint64 id) external {
        Record storage o = _existing(id);
        if (msg.sender != o.provider) revert NotProvider(id, msg.sender);
        _finish(id, o, _providerOutcome(id, o));
    }

    function closeForDowntime(uint64 id) external {
        Record storage o = _existing(id);
        _requireActive(id, o);
        Reports memory reports = _reports[id];
        if (!_isLost(o, reports)) revert NotDownForADay(id, reports.since, reports.asOf);
        _finish(id, o, _lostOutcome(o, reports));
    }

    function _release(uint64 id) internal {
        Record storage o = _orders[id];
        OrderStatus status = _status(o);
        if (status == OrderStatus.Created && _missedStart(o)) {
            _finish(id, o, _userOutcome(id, o));
        } else if (status == OrderStatus.Active && block.timestamp >= _end(o)) {
            _letGo(id, o);
        }
    }

    function _creditDowntime(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) private {
        Record storage o = _existing(id);
        bool cancelled = _isPending(o);
        if (!cancelled) _requireActive(id, o);
        if (asOf > block.timestamp) revert StatementInFuture(asOf);
        _requireValidator(keccak256(abi.encode(DOWNTIME_TYPEHASH, id, total, asOf)), sig);

        // Paid seconds are the only lasting floor of a report, so everything final is paid first.
        if (!cancelled) {
            _settle(id, o);
            if (_status(o) != OrderStatus.Active) return;
        } else if (_isMarked(o, UNBOOKED)) {
            _book(id, o, _cancelledAt(o), false);
        }
        _report(id, o, total, asOf, cancelled);
        if (cancelled) _settlePending(id, o);
    }

    /// @dev Reports count in the order of the time they cover, up to the last second that could be served. An older one, or one that
    /// reports no more downtime for the same time, changes nothing.
    function _report(uint64 id, Record storage o, uint256 total, uint256 asOf, bool cancelled) private {
        Reports memory reports = _reports[id];
        (uint256 from, uint256 until) = (o.since, cancelled ? _cancelledAt(o) : _end(o));
        if (asOf > until) asOf = until;
        uint256 last = reports.asOf == 0 ? from : reports.asOf;
        if (asOf < last || asOf <= from) return;
        if (total > asOf - from) total = asOf - from;

        if (asOf == last) {
            // More downtime in the same time: a finding that became final only after a later one.
            if (total <= reports.total) return;
        } else if (total < reports.total + (asOf - last)) {
            reports.since = 0;
        } else if (reports.since == 0) {
            // Down for every second since the previous report.
            reports.since = last.toUint40();
        }
        uint256 owed;
        if (asOf >= uint256(reports.periodFrom) + REPORT_PERIOD) {
            // A cancelled order has unlocked its pledge, so nothing is left to pay for its last hours.
            if (!cancelled) owed = _payTwice(id, o, reports);
            (reports.periodFrom, reports.base) = (asOf.toUint40(), o.down);
        }
        (reports.asOf, reports.total) = (asOf.toUint40(), total.toUint32());
        // What a cancel set aside is the most that may still be paid.
        uint256 base = cancelled && o.pendingDown > reports.base ? o.pendingDown : reports.base;
        uint256 down = Accrual.downtime(o.rate, _remuneration(o), from, until, base, total, asOf);
        o.down = down.toUint32();
        // An absence cannot be longer than the credited downtime.
        if (reports.since != 0 && asOf - reports.since > down) reports.since = (asOf - down).toUint40();
        reports.announced = Math.max(reports.announced, _maintenance(id)).toUint32();
        _reports[id] = reports;
        emit DowntimeCredited(id, o.down, reports.asOf, reports.since);

        if (owed != 0) IPledge(pledge).unlock(o.provider, id, owed, o.user, owed);
    }

    /// @dev Books the downtime that has become final and returns what its provider owes for it out of the pledge.
    function _payTwice(uint64 id, Record storage o, Reports memory reports) private returns (uint256 owed) {
        uint256 twice = _twice(o, reports);
        owed = Accrual.accrued(o.rate, twice) - Accrual.accrued(o.rate, reports.twice);
        // at most the penalty of 168 h
        // forge-lint: disable-next-line(unsafe-typecast)
        reports.twice = uint24(twice);
        // forge-lint: disable-next-line(unsafe-typecast)
        if (owed != 0) emit DowntimeCompensated(id, uint32(twice), owed);
    }

    function _settle(uint64 id, Record storage o) private {
        uint256 end = _end(o);
        uint256 time = _edge(o);
        if (block.timestamp < end + uint256(o.holdbackHours) * 1 hours) {
            _pay(id, o, _due(o, time), time);
            if (block.timestamp >= end) _letGo(id, o);
        } else {
            // At this point a cancel by the user would close it as completed, or as lost.
            _finish(id, o, _userOutcome(id, o));
        }
    }

    /// @dev Once the reports cover the cancel, or the time to wait for them is over.
    function _settlePending(uint64 id, Record storage o) private {
        uint256 until = _cancelledAt(o);
        bool isDecided = block.timestamp >= until + PENDING_PERIOD || _reports[id].asOf >= until;
        if (_isMarked(o, UNBOOKED)) _book(id, o, until, isDecided);
        if (!isDecided) return;
        (uint256 held, uint256 gross) = (_pending(o), _due(o, until));
        uint256 refund = held - gross;

        o.pendingFor = 0;
        _pay(id, o, gross, until);
        _totals.escrow -= refund.toUint128();
        emit PendingSettled(id, refund);

        _refund(o, refund);
    }

    /// @dev The usual end costs little: where something waits for reports, a call of {proSettle} has to follow anyway.
    function _userCancel(uint64 id) private {
        Record storage o = _ofUser(id);
        Outcome memory outcome = _userOutcome(id, o);
        if (outcome.pending == 0 || _reports[id].asOf != 0) return _finish(id, o, outcome);
        _refund(o, _leave(id, o, outcome, outcome.gross + outcome.pending, UNBOOKED));
    }

    /// @dev What a cancel did not book. No report exists yet, so this does not depend on when it is called. `all`: the rest is paid with it.
    function _book(uint64 id, Record storage o, uint256 until, bool all) private {
        o.flags &= ~UNBOOKED;
        if (!all) {
            uint256 upTo = Accrual.edge(until, uint256(o.holdbackHours) * 1 hours, o.since, until);
            _pay(id, o, _due(o, upTo), upTo);
            emit PaymentPending(id, _pending(o), (until + PENDING_PERIOD).toUint40());
        }
        IPledge(pledge).unlock(o.provider, id, _promise(o), o.user, 0);
    }

    function _finish(uint64 id, Record storage o, Outcome memory outcome) private {
        _refund(o, _windUp(id, o, outcome));
    }

    /// @dev The user's remainder has left escrow but is still in this contract.
    function _windUp(uint64 id, Record storage o, Outcome memory outcome) internal returns (uint256 refund) {
        _pay(id, o, outcome.gross, outcome.upTo);
        refund = _leave(id, o, outcome, outcome.pending, 0);
        _unlock(id, o, outcome.compensation);
    }

    /// @dev Ends the order and frees the node; `held` of its price waits for reports.
    function _leave(uint64 id, Record storage o, Outcome memory outcome, uint256 held, uint8 mark) private returns (uint256 refund) {
        if (outcome.pending != 0) {
            (uint32 pendingFor, uint32 down) = ((outcome.time - o.since).toUint32(), o.down);
            o.pendingFor = pendingFor;
            if (down != 0) o.pendingDown = down;
            emit PaymentPending(id, held, (outcome.time + PENDING_PERIOD).toUint40());
        }
        (uint256 rate, uint256 duration, uint256 paid) = (o.rate, o.duration, o.paid);
        refund = Accrual.accrued(rate, duration) - Accrual.accrued(rate, paid) - held;
        _setStatus(o, outcome.status, mark);
        _totals.escrow -= refund.toUint128();
        _letGo(id, o);
        emit OrderClosed(id, outcome.status, outcome.time.toUint40(), refund);
    }

    function _pay(uint64 id, Record storage o, uint256 gross, uint256 upTo) private {
        if (gross == 0) return;
        (uint256 before, uint256 commissionBps) = (_remuneration(o), o.commissionBps);
        uint256 cut = Accrual.commission(before, gross, commissionBps);
        uint32 settled = (upTo - o.since).toUint32();
        o.paid = settled - o.down;
        o.settled = settled;
        _totals.escrow -= gross.toUint128();
        earned[o.provider] += gross - cut;
        if (cut != 0) _commission += cut.toUint128();
        emit OrderSettled(id, upTo.toUint40(), gross, cut);
    }

    /// @dev Gives back the promise, less `compensation` and what the provider owes for downtime.
    function _unlock(uint64 id, Record storage o, uint256 compensation) private {
        if (compensation != 0) emit BuyerCompensated(id, compensation);

        Reports memory reports = _reports[id];
        uint256 locked = _promise(o) - Accrual.accrued(o.rate, reports.twice);
        if (reports.asOf != 0) {
            compensation += _payTwice(id, o, reports);
            _reports[id] = reports;
        }
        IPledge(pledge).unlock(o.provider, id, locked, o.user, compensation);
    }

    function _refund(Record storage o, uint256 amount) internal {
        if (amount != 0) IERC20(credit).safeTransfer(o.user, amount);
    }

    function _letGo(uint64 id, Record storage o) private {
        IRegistry(registry).set_sold(o.provider, o.nodeId, id, 0);
    }
}
