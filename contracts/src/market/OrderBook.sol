// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { IRegistry } from "../interfaces/IRegistry.sol";
import { Accrual } from "../libraries/Accrual.sol";
import { ShortText } from "../libraries/ShortText.sol";
import { OrderStatus } from "../types/OrderStatus.sol";
import { Terms } from "../types/Terms.sol";

/// @title OrderBook
/// @notice How a Market stores its orders, and how they are read.
abstract contract OrderBook is IMarket {
    using SafeCast for uint256;

    uint256 private constant MAX_ORDERS_PAGE = 100;
    uint256 private constant MAX_KEYS_PAGE = 200;

    /// @dev Five slots; whatever a settlement needs lies in the first three. What was paid in is A(duration), and the prices are those of the
    /// node's revision `rev`, which the Registry never writes again: neither is kept twice.
    struct Record {
        address user;
        uint40 activateTime;
        OrderStatus status;
        bool userConfirm;
        bool deployed;
        uint24 probation;
        uint8 holdbackHours;
        // ---
        address provider;
        uint32 nodeId;
        uint32 duration;
        uint32 down;
        // ---
        uint96 rate;
        uint96 remuneration;
        uint40 lastSettleTime;
        uint16 feeBps;
        uint8 penaltyHours;
        // ---
        uint32 rev;
        uint16 nCPU;
        uint16 nGPU;
        uint32 nMEM;
        uint32 nDISK;
        uint32 prevUser;
        uint32 prevPro;
        // ---
        bytes32 app;
    }

    /// @dev One slot: all that createOrder reads and writes of the Market itself.
    struct Totals {
        uint128 escrow;
        uint32 lastId;
        uint24 probation;
        uint16 feeBps;
        uint8 holdbackHours;
        uint8 penaltyHours;
    }

    address public immutable registry;
    uint64 public immutable firstOrderId;

    Totals internal _totals;
    mapping(uint64 id => Record) internal _orders;
    mapping(address user => uint32 id) internal _newestBought;
    mapping(address provider => uint32 id) internal _newestSold;

    constructor(address registry_, uint32 firstOrderId_) {
        if (firstOrderId_ == 0) revert ParamOutOfBounds("firstOrderId", 0, 1, type(uint32).max);
        registry = registry_;
        firstOrderId = firstOrderId_;
        _totals.lastId = firstOrderId_ - 1;
    }

    function fee(uint64 id, uint32 dur) external view returns (uint256) {
        return _extensionFee(_existing(id), dur);
    }

    function getOrder(uint64 id) public view returns (Order memory order) {
        Record storage o = _orders[id];
        if (o.status == OrderStatus.None) return order;
        order.id = id;
        order.user = o.user;
        order.provider = o.provider;
        order.nodeId = o.nodeId;
        order.app = ShortText.unpack(o.app);
        order.totalValue = _totalValue(o);
        order.remuneration = o.remuneration;
        order.remain = _isLive(o) ? order.totalValue - o.remuneration : 0;
        order.rate = o.rate;
        order.activateTime = o.activateTime;
        order.lastSettleTime = o.lastSettleTime;
        order.duration = o.duration;
        order.down = o.down;
        order.probation = o.probation;
        order.holdback = uint32(o.holdbackHours) * 1 hours;
        order.penalty = uint32(o.penaltyHours) * 1 hours;
        order.feeBps = o.feeBps;
        order.status = o.status == OrderStatus.Active && block.timestamp >= _end(o) ? OrderStatus.Expired : o.status;
        order.userConfirm = o.userConfirm;
        order.providerConfirm = o.activateTime != 0;
        order.deployed = o.deployed;
        order.nCPU = o.nCPU;
        order.nGPU = o.nGPU;
        order.nMEM = o.nMEM;
        order.nDISK = o.nDISK;
        (order.pCPU, order.pGPU, order.pMEM, order.pDISK) = IRegistry(registry).pricesOf(o.provider, o.nodeId, o.rev);
    }

    function getOrders(uint64 startId, uint256 num) external view returns (Order[] memory list) {
        if (num > MAX_ORDERS_PAGE) revert PageTooLong(num, MAX_ORDERS_PAGE);
        uint256 start = startId < firstOrderId ? firstOrderId : startId;
        uint256 past = uint256(_totals.lastId) + 1;
        if (start >= past) return list;
        uint256 size = num < past - start ? num : past - start;
        list = new Order[](size);
        for (uint256 i = 0; i < size; ++i) {
            list[i] = getOrder((start + i).toUint64());
        }
    }

    function getKeys(address user, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next) {
        if (cursor != 0 && _orders[cursor].user != user) revert BadCursor(user, cursor);
        return _page(cursor == 0 ? _newestBought[user] : cursor, num, true);
    }

    function getProList(address provider, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next) {
        if (cursor != 0 && _orders[cursor].provider != provider) revert BadCursor(provider, cursor);
        return _page(cursor == 0 ? _newestSold[provider] : cursor, num, false);
    }

    function escrow() external view returns (uint256) {
        return _totals.escrow;
    }

    function lastId() external view returns (uint64) {
        return _totals.lastId;
    }

    function _append(uint32 id, OrderInput calldata input, bytes32 app, Terms memory terms, uint256 rate, uint256 totalValue) internal {
        Totals memory totals = _totals;
        Record storage o = _orders[id];
        _writeParties(o, input, totals);
        _writeMoney(o, rate.toUint96(), totals);
        _writeOffer(o, input.rev, terms, _newestBought[msg.sender], _newestSold[input.provider]);
        if (app != 0) o.app = app;

        _newestBought[msg.sender] = id;
        _newestSold[input.provider] = id;
        _totals.lastId = id;
        _totals.escrow = (totals.escrow + totalValue).toUint128();
        _emitCreated(id, input, terms, totalValue, totals);
    }

    function _existing(uint64 id) internal view returns (Record storage o) {
        o = _orders[id];
        if (o.status == OrderStatus.None) revert OrderNotFound(id);
    }

    function _isLive(Record storage o) internal view returns (bool) {
        OrderStatus status = o.status;
        return status == OrderStatus.Created || status == OrderStatus.Active;
    }

    /// @dev Only of an order that is Active. What was once deployed has been used: taking the application away brings no probation back.
    function _inProbation(Record storage o) internal view returns (bool) {
        return block.timestamp < o.activateTime + o.probation && !o.userConfirm && !o.deployed;
    }

    function _end(Record storage o) internal view returns (uint40) {
        return o.activateTime + o.duration;
    }

    function _due(Record storage o, uint256 time) internal view returns (uint256) {
        return Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, time);
    }

    function _edge(Record storage o) internal view returns (uint256) {
        return Accrual.edge(block.timestamp, uint256(o.holdbackHours) * 1 hours, o.activateTime, _end(o));
    }

    /// @dev A(duration): what the user paid, extensions included.
    function _totalValue(Record storage o) internal view returns (uint256) {
        return Accrual.accrued(o.rate, o.duration);
    }

    /// @dev A(penalty): what is locked of the provider's pledge, and what it owes for dropping the order.
    function _promise(Record storage o) internal view returns (uint256) {
        return Accrual.accrued(o.rate, uint256(o.penaltyHours) * 1 hours);
    }

    /// @dev All that an order may ever earn has to fit `remuneration`.
    function _extensionFee(Record storage o, uint256 dur) internal view returns (uint256) {
        return Accrual.accrued(o.rate, o.duration + dur).toUint96() - _totalValue(o);
    }

    // One function per slot, each without a branch, so that the compiler writes a slot once.

    function _writeParties(Record storage o, OrderInput calldata input, Totals memory totals) private {
        uint32 nodeId = uint256(input.nodeId).toUint32();
        (address provider, uint32 duration) = (input.provider, input.duration);
        o.user = msg.sender;
        o.status = OrderStatus.Created;
        o.probation = totals.probation;
        o.holdbackHours = totals.holdbackHours;
        o.provider = provider;
        o.nodeId = nodeId;
        o.duration = duration;
    }

    function _writeMoney(Record storage o, uint96 rate, Totals memory totals) private {
        o.rate = rate;
        o.lastSettleTime = uint40(block.timestamp);
        o.feeBps = totals.feeBps;
        o.penaltyHours = totals.penaltyHours;
    }

    function _writeOffer(Record storage o, uint32 rev, Terms memory terms, uint32 prevUser, uint32 prevPro) private {
        o.rev = rev;
        o.nCPU = terms.nCPU;
        o.nGPU = terms.nGPU;
        o.nMEM = terms.nMEM;
        o.nDISK = terms.nDISK;
        o.prevUser = prevUser;
        o.prevPro = prevPro;
    }

    function _emitCreated(uint32 id, OrderInput calldata input, Terms memory terms, uint256 totalValue, Totals memory totals) private {
        Conditions memory conditions = Conditions({
            probation: totals.probation,
            holdback: uint32(totals.holdbackHours) * 1 hours,
            penalty: uint32(totals.penaltyHours) * 1 hours,
            feeBps: totals.feeBps
        });
        emit OrderCreated(id, msg.sender, input.provider, input.nodeId, input.rev, input.duration, totalValue, terms, conditions, input.app);
    }

    function _page(uint64 from, uint256 num, bool bought) private view returns (uint64[] memory ids, uint64 next) {
        if (num > MAX_KEYS_PAGE) revert PageTooLong(num, MAX_KEYS_PAGE);
        ids = new uint64[](num);
        uint256 size = 0;
        for (next = from; next != 0 && size < num; ++size) {
            ids[size] = next;
            next = bought ? _orders[next].prevUser : _orders[next].prevPro;
        }
        // The page is never longer than what was allocated for it.
        assembly ("memory-safe") {
            mstore(ids, size)
        }
    }
}
