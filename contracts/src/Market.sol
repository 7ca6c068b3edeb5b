// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { IERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IPledge } from "./interfaces/IPledge.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Accrual } from "./libraries/Accrual.sol";
import { ShortText } from "./libraries/ShortText.sol";
import { OrderBook } from "./market/OrderBook.sol";
import { Parameters } from "./market/Parameters.sol";
import { Treasury } from "./market/Treasury.sol";
import { MAX_DURATION, MIN_DURATION, MIN_PLEDGE, START } from "./types/Constants.sol";
import { OrderStatus } from "./types/OrderStatus.sol";
import { Terms } from "./types/Terms.sol";

/// @title Market
/// @dev The promises are in IMarket. Every function checks, then writes, then moves tokens last: a token that calls back finds nothing half done.
contract Market is Treasury {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    bytes32 private constant DOWNTIME_TYPEHASH = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
    uint256 private constant MAX_SETTLE_MANY = 50;

    /// @dev How a cancel ends an order: what the provider is due, and what it owes the buyer for dropping the order.
    struct Outcome {
        OrderStatus status;
        uint256 gross;
        uint256 fromPledge;
        uint256 fromUnsettled;
    }

    address public immutable registry;
    address public immutable pledge;

    constructor(address access_, address registry_, address pledge_, address credit_, uint32 firstOrderId_, Params memory initial)
        OrderBook(firstOrderId_)
        Parameters(access_, initial)
        Treasury(credit_)
    {
        registry = registry_;
        pledge = pledge_;
    }

    // ---- entries

    function createOrder(OrderInput calldata input) external returns (uint64 id) {
        return _createOrder(input);
    }

    function createOrderWithPermit(OrderInput calldata input, Permit calldata permit) external returns (uint64 id) {
        _spend(permit);
        return _createOrder(input);
    }

    function extend(uint64 id, uint32 dur) external {
        _extend(id, dur);
    }

    function extendWithPermit(uint64 id, uint32 dur, Permit calldata permit) external {
        _spend(permit);
        _extend(id, dur);
    }

    // ---- while it lives

    function activate(uint64 id) external {
        Record storage o = _existing(id);
        if (o.status != OrderStatus.Created) revert WrongStatus(id, o.status);
        _requireOperator(o.provider);
        uint40 until = o.lastSettleTime + START;
        if (block.timestamp >= until) revert StartExpired(id, until);

        o.activateTime = uint40(block.timestamp);
        o.status = OrderStatus.Active;
        o.providerConfirm = true;
        o.lastSettleTime = uint40(block.timestamp);
        emit OrderActivated(id, uint40(block.timestamp));
    }

    function userConfirm(uint64 id) external {
        Record storage o = _ofUser(id);
        _requireActive(id, o);
        if (!_inProbation(o)) revert NotInProbation(id);

        o.userConfirm = true;
        emit OrderConfirmed(id);
    }

    function setApp(uint64 id, string calldata app) external {
        Record storage o = _existing(id);
        if (msg.sender != o.user) _requireOperator(o.provider);
        if (!_isLive(o)) revert WrongStatus(id, o.status);
        if (o.status == OrderStatus.Active) _requireRunning(id, o);
        bytes32 packed = _packApp(app);

        o.app = packed;
        emit AppSet(id, app);
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

    // ---- exits

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
        address provider = o.provider;

        _pay(id, o, outcome.gross, block.timestamp);
        _close(id, o, outcome.status);
        if (outcome.fromPledge + outcome.fromUnsettled != 0) emit BuyerCompensated(id, outcome.fromPledge, outcome.fromUnsettled);

        if (outcome.fromPledge != 0) IPledge(pledge).compensate(provider, o.user, outcome.fromPledge);
    }

    // ---- views

    function feeOrder(address provider, uint64 nodeId, uint32 duration) external view returns (uint256 fee, uint32 rev) {
        uint256 rate;
        (, rate, rev) = IRegistry(registry).termsOf(provider, nodeId);
        _requireDuration(duration, MAX_DURATION);
        fee = Accrual.accrued(rate, duration);
    }

    function quoteCancel(uint64 id, bool byProvider)
        external
        view
        returns (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation)
    {
        Record storage o = _existing(id);
        Outcome memory outcome = byProvider ? _providerOutcome(id, o) : _userOutcome(id, o);
        compensation = outcome.fromPledge;
        commission = Accrual.commission(o.remuneration, outcome.gross, o.feeBps);
        toProvider = outcome.gross - commission;
        toUser = o.totalValue - o.remuneration - outcome.gross + compensation;
    }

    // ---- how an order comes to be

    function _createOrder(OrderInput calldata input) private returns (uint64) {
        _requireOpen();
        bytes32 app = _packApp(input.app);
        _requireDuration(input.duration, MAX_DURATION);
        if (input.provider == msg.sender) revert OwnNode(input.provider);
        uint256 pledged = IPledge(pledge).pledgeOf(input.provider);
        if (pledged < MIN_PLEDGE) revert PledgeTooLow(pledged, MIN_PLEDGE);
        _freeNode(input);

        uint32 id = _totals.lastId + 1;
        Terms memory terms = IRegistry(registry).set_sold(input.provider, input.nodeId, id, input.rev);
        uint256 rate = Accrual.rateOf(terms);
        uint256 total = Accrual.accrued(rate, input.duration);
        if (total > input.maxFee) revert FeeTooHigh(total, input.maxFee);
        _append(id, input, app, terms, rate, total);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), total);
        return id;
    }

    /// @dev Revision 0 would tell the Registry to let go instead of to reserve.
    function _freeNode(OrderInput calldata input) private {
        (uint64 holder, uint32 rev,,,) = IRegistry(registry).stateOf(input.provider, input.nodeId);
        if (input.rev == 0) revert StaleNode(0, rev);
        if (holder == 0) return;
        address market = IAccess(access).marketOf(holder);
        if (market == address(this)) _release(holder);
        else IMarket(market).release(holder);
    }

    function _extend(uint64 id, uint32 dur) private {
        _requireOpen();
        Record storage o = _ofUser(id);
        _requireActive(id, o);
        _requireRunning(id, o);
        _requireDuration(dur, MAX_DURATION - (_end(o) - block.timestamp));
        (,,,, bool online) = IRegistry(registry).stateOf(o.provider, o.nodeId);
        if (!online) revert NodeOffline(o.provider, o.nodeId);
        uint256 paid = _extensionFee(o, dur);

        o.userConfirm = true;
        o.duration += dur;
        o.totalValue = (o.totalValue + paid).toUint96();
        _totals.escrow = (_totals.escrow + paid).toUint128();
        emit OrderExtended(id, o.duration, paid);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), paid);
    }

    /// @dev Whoever saw the permit in the mempool may have spent it already; then the allowance is there.
    function _spend(Permit calldata permit) private {
        try IERC20Permit(credit).permit(msg.sender, address(this), permit.value, permit.deadline, permit.v, permit.r, permit.s) { }
            catch { }
    }

    // ---- how it is paid and ends

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
        if (block.timestamp >= end + uint256(o.holdbackHours) * 1 hours) _close(id, o, OrderStatus.Completed);
        else if (block.timestamp >= end) _letGo(id, o);
    }

    function _release(uint64 id) private {
        Record storage o = _orders[id];
        OrderStatus status = o.status;
        if (status == OrderStatus.Created && block.timestamp >= o.lastSettleTime + START) _close(id, o, OrderStatus.ProviderCancelled);
        else if (status == OrderStatus.Active && block.timestamp >= _end(o)) _letGo(id, o);
    }

    function _userCancel(uint64 id) private {
        Record storage o = _ofUser(id);
        Outcome memory outcome = _userOutcome(id, o);

        _pay(id, o, outcome.gross, _min(block.timestamp, _end(o)));
        _close(id, o, outcome.status);
    }

    function _pay(uint64 id, Record storage o, uint256 gross, uint256 upTo) private {
        if (gross == 0) return;
        uint256 remuneration = o.remuneration;
        uint256 cut = Accrual.commission(remuneration, gross, o.feeBps);
        o.remuneration = (remuneration + gross).toUint96();
        o.lastSettleTime = upTo.toUint40();
        _totals.escrow -= gross.toUint128();
        earned[o.provider] += gross - cut;
        if (cut != 0) _commission += cut.toUint128();
        emit OrderSettled(id, o.lastSettleTime, gross, cut);
    }

    function _close(uint64 id, Record storage o, OrderStatus status) private {
        uint256 refund = o.totalValue - o.remuneration;
        o.status = status;
        _totals.escrow -= refund.toUint128();
        _letGo(id, o);
        emit OrderClosed(id, status, uint40(block.timestamp), refund);

        if (refund != 0) IERC20(credit).safeTransfer(o.user, refund);
    }

    function _letGo(uint64 id, Record storage o) private {
        IRegistry(registry).set_sold(o.provider, o.nodeId, id, 0);
    }

    function _userOutcome(uint64 id, Record storage o) private view returns (Outcome memory outcome) {
        if (o.status == OrderStatus.Created) {
            outcome.status = OrderStatus.UserCancelled;
            return outcome;
        }
        _requireActive(id, o);
        uint256 end = _end(o);
        if (block.timestamp >= end) {
            outcome.status = OrderStatus.Completed;
            outcome.gross = _due(o, end);
        } else if (_inProbation(o) && !_isDeployed(o)) {
            outcome.status = OrderStatus.ProbationRefunded;
        } else {
            outcome.status = OrderStatus.UserCancelled;
            outcome.gross = _due(o, block.timestamp);
        }
    }

    function _providerOutcome(uint64 id, Record storage o) private view returns (Outcome memory outcome) {
        outcome.status = OrderStatus.ProviderCancelled;
        if (o.status == OrderStatus.Created) return outcome;
        _requireActive(id, o);
        if (_inProbation(o)) return outcome;
        _requireRunning(id, o);
        uint256 owed = Accrual.accrued(o.rate, uint256(o.penaltyHours) * 1 hours);
        uint256 due = _due(o, block.timestamp);
        outcome.fromPledge = _min(owed, IPledge(pledge).pledgeOf(o.provider));
        outcome.fromUnsettled = _min(owed - outcome.fromPledge, due);
        outcome.gross = due - outcome.fromUnsettled;
    }

    function _isDeployed(Record storage o) private view returns (bool avail) {
        (,,, avail,) = IRegistry(registry).stateOf(o.provider, o.nodeId);
    }

    function _ofUser(uint64 id) private view returns (Record storage o) {
        o = _existing(id);
        if (msg.sender != o.user) revert NotUser(id, msg.sender);
    }

    function _requireOpen() private view {
        (address market, bool isPaused) = IAccess(access).gate();
        if (market != address(this)) revert Draining(market);
        if (isPaused) revert EntriesPaused();
    }

    function _requireActive(uint64 id, Record storage o) private view {
        if (o.status != OrderStatus.Active) revert WrongStatus(id, o.status);
    }

    function _requireRunning(uint64 id, Record storage o) private view {
        uint40 end = _end(o);
        if (block.timestamp >= end) revert OrderEnded(id, end);
    }

    function _requireOperator(address provider) private view {
        if (msg.sender != provider && msg.sender != IRegistry(registry).operatorOf(provider)) revert NotOperator(msg.sender, provider);
    }

    function _requireDuration(uint256 duration, uint256 max) private pure {
        if (duration < MIN_DURATION || duration > max) revert DurationOutOfBounds(duration, MIN_DURATION, max);
    }

    function _packApp(string calldata app) private pure returns (bytes32) {
        if (bytes(app).length > ShortText.MAX) revert AppTooLong(bytes(app).length, ShortText.MAX);
        return ShortText.pack(app);
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
