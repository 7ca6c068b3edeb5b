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
import { MarketState } from "./market/MarketState.sol";
import { OrderBook } from "./market/OrderBook.sol";
import { Parameters } from "./market/Parameters.sol";
import { Settlement } from "./market/Settlement.sol";
import { MAX_DURATION, MIN_DURATION, START } from "./types/Constants.sol";
import { OrderStatus } from "./types/OrderStatus.sol";
import { Service } from "./types/Service.sol";

/// @title Market
/// @notice How an order is created and runs; see {Settlement} for how it is paid and ends.
/// @dev See {IMarket}. Checks-effects-interactions: every function checks, then writes, then transfers tokens, so that a reentrant token
/// sees consistent state.
contract Market is Settlement, Parameters {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @notice See IMarket. Named, not created: the code of all three does not fit into one transaction.
    address public immutable office;

    constructor(Modules memory modules, address office_, Params memory initial) MarketState(modules) OrderBook(modules.firstOrderId) {
        office = office_;
        _setCommissionBps(initial.commissionBps);
        _setProbation(initial.probation);
        _setPenalty(initial.penalty);
        _setHoldback(initial.holdback);
        _setRewardDayCap(initial.rewardDayCap);
        _setInterestShare(initial.interestShare);
        _setMonitorShare(initial.monitorShare);
    }

    /// @notice Forwards calls without a function here to the office, and those unknown to the office to the lens, so that all three share
    /// this address.
    /// @dev Both are delegatecalls on the storage of this Market. The lens consists of views only; its code has no state-changing
    /// instruction.
    fallback() external {
        address target = office;
        assembly ("memory-safe") {
            let data := mload(0x40)
            calldatacopy(data, 0, calldatasize())
            let done := delegatecall(gas(), target, data, calldatasize(), 0, 0)
            returndatacopy(data, 0, returndatasize())
            if done { return(data, returndatasize()) }
            revert(data, returndatasize())
        }
    }

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

    function move(uint64 id, Conditions calldata conditions) external returns (uint64 newId) {
        (address next,) = IAccess(access).gate();
        if (next == address(this)) revert NowhereToMove();
        Record storage o = _ofUser(id);
        _requireActive(id, o);
        _requireRunning(id, o);
        Outcome memory outcome = _userOutcome(id, o);
        if (outcome.status != OrderStatus.UserCancelled) revert WrongStatus(id, outcome.status);

        Move memory rest = _restOf(id, o, conditions);
        uint256 left = _windUp(id, o, outcome) - rest.order.maxFee;
        IERC20(credit).forceApprove(next, rest.order.maxFee);
        newId = IMarket(next).takeOver(rest);
        _refund(o, left);
    }

    function takeOver(Move calldata input) external returns (uint64) {
        _requireOpen();
        if (IRegistry(registry).serviceOf(msg.sender) != Service.Draining) revert NotDraining(msg.sender);
        OrderInput calldata order = input.order;
        uint32 id = _totals.lastId + 1;
        (uint256 rate,) = IRegistry(registry).set_sold(order.provider, order.nodeId, id, order.rev);
        uint256 total = _sell(id, input.user, order, rate);

        Record storage o = _orders[id];
        emit OrderMoved(input.from, id);
        _mark(o, CONFIRMED);
        emit OrderConfirmed(id);
        _activate(id, o);
        if (input.deployed) {
            _markDeployed(id, o);
            IRegistry(registry).setDeployed(order.provider, order.nodeId, id);
        }
        _take(id, o, total);
        return id;
    }

    function activate(uint64 id) external {
        Record storage o = _existing(id);
        _requireOperator(o.provider);
        _activate(id, o);
    }

    function activateWithApp(uint64 id, string calldata app) external {
        Record storage o = _existing(id);
        address provider = o.provider;
        _requireOperator(provider);
        _requireApp(app);
        if (_status(o) == OrderStatus.Active) _requireRunning(id, o);
        else _activate(id, o);

        if (!_isMarked(o, DEPLOYED)) _markDeployed(id, o);
        emit AppSet(id, app);

        IRegistry(registry).setDeployed(provider, o.nodeId, id);
    }

    function markDeployed(uint64 id) external {
        if (msg.sender != registry) revert NotRegistry(msg.sender);
        Record storage o = _orders[id];

        if (!_isMarked(o, DEPLOYED)) _markDeployed(id, o);
    }

    function _activate(uint64 id, Record storage o) private {
        OrderStatus status = _status(o);
        if (status != OrderStatus.Created) revert WrongStatus(id, status);
        uint40 until = o.since + START;
        if (block.timestamp >= until) revert StartExpired(id, until);

        o.since = uint40(block.timestamp);
        _setStatus(o, OrderStatus.Active, ACTIVATED);
        emit OrderActivated(id, uint40(block.timestamp));
    }

    function _markDeployed(uint64 id, Record storage o) private {
        _mark(o, DEPLOYED);
        emit OrderDeployed(id, uint40(block.timestamp));
    }

    function _createOrder(OrderInput calldata input) private returns (uint64) {
        _requireOpen();
        if (input.provider == msg.sender) revert OwnNode(input.provider);

        (uint32 id, uint256 rate, uint32 minTerm) = _reserve(input);
        _requireDuration(input.duration, minTerm, MAX_DURATION);
        uint256 total = _sell(id, msg.sender, input, rate);
        _take(id, _orders[id], total);
        return id;
    }

    /// @dev Records the order at its price; transfers nothing.
    function _sell(uint32 id, address user, OrderInput calldata input, uint256 rate) private returns (uint256 total) {
        _requireApp(input.app);
        _requireConditions(input.conditions);
        total = Accrual.accrued(rate, input.duration);
        if (total > input.maxFee) revert FeeTooHigh(total, input.maxFee);
        _append(id, user, input, rate, total);
    }

    /// @dev Locks the provider's promise and takes the total price from the caller.
    function _take(uint32 id, Record storage o, uint256 total) private {
        IPledge(pledge).lock(o.provider, id, _promise(o));
        IERC20(credit).safeTransferFrom(msg.sender, address(this), total);
    }

    /// @dev Nearly every node is free, so it reads the holder only after a failed attempt; the second attempt then reverts with the actual
    /// reason. Revision 0 would tell the Registry to free the node instead of reserving it. A release refunds, so the id is taken after it.
    function _reserve(OrderInput calldata input) private returns (uint32 id, uint256 rate, uint32 minTerm) {
        (address provider, uint64 nodeId, uint32 rev) = (input.provider, input.nodeId, input.rev);
        id = _totals.lastId + 1;
        if (rev != 0) {
            try IRegistry(registry).set_sold(provider, nodeId, id, rev) returns (uint256 rate_, uint32 minTerm_) {
                return (id, rate_, minTerm_);
            } catch { }
        }
        (uint64 holder, uint32 have,,,) = IRegistry(registry).stateOf(provider, nodeId);
        if (rev == 0) revert StaleNode(0, have);
        if (holder != 0) _releaseAnywhere(holder);
        id = _totals.lastId + 1;
        (rate, minTerm) = IRegistry(registry).set_sold(provider, nodeId, id, rev);
    }

    /// @dev The remaining time costs A(rest), never more than what remains of the price.
    function _restOf(uint64 id, Record storage o, Conditions calldata conditions) private view returns (Move memory rest) {
        // the order is running, so this is at most its duration
        // forge-lint: disable-next-line(unsafe-typecast)
        uint32 duration = uint32(_end(o) - block.timestamp);
        OrderInput memory order = OrderInput({
            provider: o.provider,
            nodeId: o.nodeId,
            rev: o.rev,
            duration: duration,
            maxFee: Accrual.accrued(o.rate, duration),
            conditions: conditions,
            app: ""
        });
        return Move({ from: id, user: o.user, deployed: _isMarked(o, DEPLOYED), order: order });
    }

    function _releaseAnywhere(uint64 id) private {
        address market = IAccess(access).marketOf(id);
        if (market == address(this)) _release(id);
        else IMarket(market).release(id);
    }

    function _extend(uint64 id, uint32 dur) private {
        _requireOpen();
        Record storage o = _active(id);
        uint32 before = o.duration;
        uint40 end = o.since + before;
        if (block.timestamp >= end) revert OrderEnded(id, end);
        _requireDuration(dur, MIN_DURATION, MAX_DURATION - (end - block.timestamp));
        (,,,, bool online) = IRegistry(registry).stateOf(o.provider, o.nodeId);
        if (!online) revert NodeOffline(o.provider, o.nodeId);
        uint256 paid = _extensionFee(o.rate, before, dur);

        // The buyer's probation is its own to end.
        if (msg.sender == o.user && !_isMarked(o, CONFIRMED)) _mark(o, CONFIRMED);
        o.duration = before + dur;
        _totals.escrow = (_totals.escrow + paid).toUint128();
        emit OrderExtended(id, msg.sender, before + dur, paid);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), paid);
    }

    /// @dev Somebody who saw the permit in the mempool may have used it already; then the allowance is in place.
    function _spend(Permit calldata permit) private {
        try IERC20Permit(credit).permit(msg.sender, address(this), permit.value, permit.deadline, permit.v, permit.r, permit.s) { }
            catch { }
    }

    function _requireOpen() private view {
        (address market, bool isPaused) = IAccess(access).gate();
        if (market != address(this)) revert Draining(market);
        if (isPaused) revert EntriesPaused();
    }

    function _requireConditions(Conditions calldata seen) private view {
        Conditions memory have = _conditions();
        bool isSame = seen.probation == have.probation && seen.holdback == have.holdback && seen.penalty == have.penalty
            && seen.commissionBps == have.commissionBps;
        if (!isSame) revert ConditionsChanged(have);
    }
}
