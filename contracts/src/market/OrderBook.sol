// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { OrderStatus } from "../types/OrderStatus.sol";
import { OrderRules } from "./OrderRules.sol";

/// @title OrderBook
/// @notice How a Market stores a new order.
abstract contract OrderBook is OrderRules, IMarket {
    using SafeCast for uint256;

    constructor(uint32 firstOrderId_) {
        if (firstOrderId_ == 0) revert ParamOutOfBounds("firstOrderId", 0, 1, type(uint32).max);
        _totals.lastId = firstOrderId_ - 1;
    }

    function escrow() external view returns (uint256) {
        return _totals.escrow;
    }

    function lastId() external view returns (uint64) {
        return _totals.lastId;
    }

    function _append(uint32 id, address user, OrderInput calldata input, uint256 rate, uint256 totalValue) internal {
        Totals memory totals = _totals;
        Record storage o = _orders[id];
        _writeTerms(o, user, totals);
        _writeOffer(o, input);
        // An offer's rate is below 2^88.
        // forge-lint: disable-next-line(unsafe-typecast)
        o.rate = uint88(rate);
        _totals.lastId = id;
        _totals.escrow = (totals.escrow + totalValue).toUint128();
        _emitCreated(id, user, input, rate, totalValue);
    }

    // One function per slot, each without a branch, so that the compiler writes every slot once.

    function _writeTerms(Record storage o, address user, Totals memory totals) private {
        o.user = user;
        o.since = uint40(block.timestamp);
        o.flags = uint8(OrderStatus.Created);
        o.probation = totals.probation;
        o.holdbackHours = totals.holdbackHours;
        o.penaltyHours = totals.penaltyHours;
        o.commissionBps = totals.commissionBps;
    }

    function _writeOffer(Record storage o, OrderInput calldata input) private {
        uint32 nodeId = uint256(input.nodeId).toUint32();
        (address provider, uint32 rev, uint32 duration) = (input.provider, input.rev, input.duration);
        o.provider = provider;
        o.nodeId = nodeId;
        o.rev = rev;
        o.duration = duration;
    }

    function _emitCreated(uint32 id, address user, OrderInput calldata input, uint256 rate, uint256 totalValue) private {
        emit OrderCreated(id, user, input.provider, input.nodeId, input.rev, input.duration, totalValue, rate, input.conditions, input.app);
    }
}
