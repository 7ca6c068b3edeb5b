// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { OrderStatus } from "../types/OrderStatus.sol";
import { Terms } from "../types/Terms.sol";
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

    function _append(uint32 id, address user, OrderInput calldata input, bytes32 app, Terms memory terms, uint256 rate, uint256 totalValue)
        internal
    {
        Totals memory totals = _totals;
        Record storage o = _orders[id];
        _writeParties(o, user, input, totals);
        _writeMoney(o, rate.toUint96(), totals);
        _writeOffer(o, input.rev, terms, _newestBought[user], _newestSold[input.provider]);
        if (app != 0) o.app = app;

        _newestBought[user] = id;
        _newestSold[input.provider] = id;
        _totals.lastId = id;
        _totals.escrow = (totals.escrow + totalValue).toUint128();
        _emitCreated(id, user, input, terms, totalValue);
    }

    // One function per slot, each without a branch, so that the compiler writes every slot once.

    function _writeParties(Record storage o, address user, OrderInput calldata input, Totals memory totals) private {
        uint32 nodeId = uint256(input.nodeId).toUint32();
        (address provider, uint32 duration) = (input.provider, input.duration);
        o.user = user;
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
        o.commissionBps = totals.commissionBps;
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

    function _emitCreated(uint32 id, address user, OrderInput calldata input, Terms memory terms, uint256 totalValue) private {
        emit OrderCreated(id, user, input.provider, input.nodeId, input.rev, input.duration, totalValue, terms, input.conditions, input.app);
    }
}
