// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IPledge } from "../interfaces/IPledge.sol";
import { IRegistry } from "../interfaces/IRegistry.sol";
import { Accrual } from "../libraries/Accrual.sol";
import { START } from "../types/Constants.sol";
import { OrderStatus } from "../types/OrderStatus.sol";
import { Treasury } from "./Treasury.sol";

/// @title Settlement
/// @notice How an order is paid and how it ends. No pause and no version stands in the way of anything here.
abstract contract Settlement is Treasury {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint256 private constant MAX_SETTLE_MANY = 50;
    bytes32 private constant DOWNTIME_TYPEHASH = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");

    /// @dev How a cancel ends an order: what the provider is due, and what it owes the buyer for dropping the order.
    struct Outcome {
        OrderStatus status;
        uint256 upTo;
        uint256 gross;
        uint256 compensation;
    }

    address public immutable pledge;

    constructor(address pledge_) {
        pledge = pledge_;
    }

    function proSettle(uint64 id) external {
        Record storage o = _existing(id);
        _requireActive(id, o);
        if (_inProbation(o)) revert InProbation(id, o.activateTime + o.probation);

        _settle(id, o);
    }

    function proSettleMany(uint64[] calldata ids) external {
        if (ids.length > MAX_SETTLE_MANY) revert PageTooLong(ids.length, MAX_SETTLE_MANY);

        for (uint256 i = 0; i < ids.length; ++i) {
            Record storage o = _orders[ids[i]];
            if (o.status == OrderStatus.Active && !_inProbation(o)) _settle(ids[i], o);
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
        if (o.status == OrderStatus.Active) _userCancel(id);
    }

    function providerCancel(uint64 id) external {
        Record storage o = _existing(id);
        if (msg.sender != o.provider) revert NotProvider(id, msg.sender);
        Outcome memory outcome = _providerOutcome(id, o);

        _pay(id, o, outcome.gross, outcome.upTo);
        _close(id, o, outcome.status, outcome.compensation);
    }

    function quoteCancel(uint64 id, bool byProvider)
        external
        view
        returns (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation)
    {
        Record storage o = _existing(id);
        Outcome memory outcome = byProvider ? _providerOutcome(id, o) : _userOutcome(id, o);
        compensation = outcome.compensation;
        commission = Accrual.commission(o.remuneration, outcome.gross, o.feeBps);
        toProvider = outcome.gross - commission;
        toUser = _totalValue(o) - o.remuneration - outcome.gross + compensation;
    }

    function _release(uint64 id) internal {
        Record storage o = _orders[id];
        OrderStatus status = o.status;
        if (status == OrderStatus.Created && block.timestamp >= o.lastSettleTime + START) {
            _close(id, o, OrderStatus.ProviderCancelled, _startPenalty(o));
        } else if (status == OrderStatus.Active && block.timestamp >= _end(o)) {
            _letGo(id, o);
        }
    }

    function _ofUser(uint64 id) internal view returns (Record storage o) {
        o = _existing(id);
        if (msg.sender != o.user) revert NotUser(id, msg.sender);
    }

    function _requireActive(uint64 id, Record storage o) internal view {
        if (o.status != OrderStatus.Active) revert WrongStatus(id, o.status);
    }

    function _requireRunning(uint64 id, Record storage o) internal view {
        uint40 end = _end(o);
        if (block.timestamp >= end) revert OrderEnded(id, end);
    }

    function _creditDowntime(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) private {
        Record storage o = _existing(id);
        _requireActive(id, o);
        if (asOf > block.timestamp) revert StatementInFuture(asOf);
        _requireValidator(keccak256(abi.encode(DOWNTIME_TYPEHASH, id, total, asOf)), sig);

        // Paid seconds are the only lasting floor of a statement, so all that is final is paid first. In probation nothing is final.
        if (!_inProbation(o)) _settle(id, o);
        if (o.status != OrderStatus.Active) return;
        uint256 down = Accrual.downtime(o.rate, o.remuneration, o.activateTime, o.down, total, asOf);
        if (down == o.down) return;
        o.down = down.toUint32();
        emit DowntimeCredited(id, o.down, asOf);
    }

    function _settle(uint64 id, Record storage o) private {
        uint256 end = _end(o);
        uint256 time = _edge(o);
        _pay(id, o, _due(o, time), time);
        if (block.timestamp >= end + uint256(o.holdbackHours) * 1 hours) _close(id, o, OrderStatus.Completed, 0);
        else if (block.timestamp >= end) _letGo(id, o);
    }

    function _userCancel(uint64 id) private {
        Record storage o = _ofUser(id);
        Outcome memory outcome = _userOutcome(id, o);

        _pay(id, o, outcome.gross, outcome.upTo);
        _close(id, o, outcome.status, 0);
    }

    function _pay(uint64 id, Record storage o, uint256 gross, uint256 upTo) private {
        if (gross == 0) return;
        (uint256 before, uint256 feeBps) = (o.remuneration, o.feeBps);
        uint256 cut = Accrual.commission(before, gross, feeBps);
        (uint96 remuneration, uint40 time) = ((before + gross).toUint96(), upTo.toUint40());
        o.remuneration = remuneration;
        o.lastSettleTime = time;
        _totals.escrow -= gross.toUint128();
        earned[o.provider] += gross - cut;
        if (cut != 0) _commission += cut.toUint128();
        emit OrderSettled(id, time, gross, cut);
    }

    function _close(uint64 id, Record storage o, OrderStatus status, uint256 compensation) private {
        uint256 refund = _totalValue(o) - o.remuneration;
        address user = o.user;
        o.status = status;
        _totals.escrow -= refund.toUint128();
        _letGo(id, o);
        emit OrderClosed(id, status, uint40(block.timestamp), refund);
        if (compensation != 0) emit BuyerCompensated(id, compensation);

        IPledge(pledge).unlock(o.provider, id, _promise(o), user, compensation);
        if (refund != 0) IERC20(credit).safeTransfer(user, refund);
    }

    function _letGo(uint64 id, Record storage o) private {
        IRegistry(registry).set_sold(o.provider, o.nodeId, id, 0);
    }

    function _userOutcome(uint64 id, Record storage o) private view returns (Outcome memory outcome) {
        OrderStatus status = o.status;
        outcome.status = OrderStatus.UserCancelled;
        if (status == OrderStatus.Created) return outcome;
        if (status != OrderStatus.Active) revert WrongStatus(id, status);
        uint256 end = _end(o);
        outcome.upTo = block.timestamp;
        if (block.timestamp >= end) {
            outcome.status = OrderStatus.Completed;
            outcome.upTo = end;
        } else if (_inProbation(o)) {
            outcome.status = OrderStatus.ProbationRefunded;
            return outcome;
        }
        outcome.gross = _due(o, outcome.upTo);
    }

    function _providerOutcome(uint64 id, Record storage o) private view returns (Outcome memory outcome) {
        outcome.status = OrderStatus.ProviderCancelled;
        if (o.status != OrderStatus.Created) {
            _requireActive(id, o);
            if (!_inProbation(o)) {
                _requireRunning(id, o);
                outcome.upTo = block.timestamp;
                outcome.gross = _due(o, block.timestamp);
                outcome.compensation = _promise(o);
                return outcome;
            }
        }
        outcome.compensation = _startPenalty(o);
    }

    /// @dev A(1 h), out of what is locked: for an order that its provider never started, or dropped before it was used.
    function _startPenalty(Record storage o) private view returns (uint256) {
        return o.penaltyHours == 0 ? 0 : Accrual.accrued(o.rate, 1 hours);
    }
}
