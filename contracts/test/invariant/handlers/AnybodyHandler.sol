// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Accrual } from "../../../src/libraries/Accrual.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { OrderChecks } from "./OrderChecks.sol";

/// @notice Actions open to anyone, and those reserved for a Market. Also the treasury.
abstract contract AnybodyHandler is OrderChecks {
    uint256 public lostOrders;

    function proSettle(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = _isActive(o) || o.pendingUntil != 0;
        try _marketOf(o.id).proSettle(o.id) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function proSettleMany(uint256 seed) external step {
        IMarketWithLens market = _market(seed);
        uint64[] memory ids = new uint64[](8);
        for (uint256 i = 0; i < ids.length; ++i) {
            ids[i] = market.firstOrderId() + uint64((seed >> (8 * i)) % 32);
        }
        market.proSettleMany(ids);
    }

    function creditDowntime(uint256 seed, uint32 total, uint256 back) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        IMarketWithLens market = _marketOf(o.id);
        (uint32 claim, uint40 asOf, bytes memory sig) = _statement(market, o, seed, total, back);
        bool may = _isActive(o) || o.pendingUntil != 0;
        try market.creditDowntime(o.id, claim, asOf, sig) {
            assertTrue(may);
            _checkStatement(market, o);
            _checkReplay(market, o.id, claim, asOf, sig);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    /// @dev A report settles before it counts. If it corrects downtime, more becomes final, and the next settlement pays it, including that
    /// of its replay.
    function _checkReplay(IMarketWithLens market, uint64 id, uint32 claim, uint40 asOf, bytes memory sig) private {
        IMarket.Order memory o = market.getOrder(id);
        if (o.remain == 0) return;
        uint256 due = _dueAtEdge(o);
        market.creditDowntime(id, claim, asOf, sig);
        IMarket.Order memory again = market.getOrder(id);
        assertEq(again.remuneration, o.remuneration + due, "a replayed statement paid more than was final");
        if (due != 0) (o.remuneration, o.remain, o.lastSettleTime) = (again.remuneration, o.remain - due, again.lastSettleTime);
        assertEq(keccak256(abi.encode(again)), keccak256(abi.encode(o)), "a replayed statement changed something");
    }

    function closeForDowntime(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        IMarketWithLens market = _marketOf(o.id);
        bool may = _isActive(o) && _isLost(o);
        if (_isActive(o) && !may && seed % 4 != 0) return _reportAway(market, o);
        (uint256 before, uint256 pledged) = (credit.balanceOf(o.user), pledge.pledgeOf(o.provider));
        uint256 due = Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, o.reportedUntil);
        vm_.prank(_provider(seed));
        try market.closeForDowntime(o.id) {
            assertTrue(may);
            assertEq(pledged - pledge.pledgeOf(o.provider), _promiseOf(o), "being away costs what a cancel costs");
            assertEq(market.getOrder(o.id).remuneration - o.remuneration, due, "paid up to the first second away");
            assertEq(credit.balanceOf(o.user) - before, o.remain - due + _promiseOf(o));
            ++lostOrders;
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    /// @dev Down in every second so far: this continues until somebody closes the order.
    function _reportAway(IMarketWithLens market, IMarket.Order memory o) private {
        (uint32 total, uint40 asOf) = (type(uint32).max, uint40(vm_.getBlockTimestamp()));
        bytes32 typeHash = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
        market.creditDowntime(o.id, total, asOf, _sign(market, keccak256(abi.encode(typeHash, o.id, total, asOf))));
        _checkStatement(market, o);
    }

    function release(uint256 seed) external step {
        IMarketWithLens market = _market(seed);
        uint64 id = market.firstOrderId() + uint64((seed >> 8) % 40);
        IMarket.Order memory o = market.getOrder(id);
        bool frees = o.id != 0 && _isReleasable(id);
        market.release(id);
        if (frees) assertNotEq(registry.get_node(o.provider, o.nodeId).orderId, id);
    }

    function fundRewards(uint256 seed, uint256 amount) external step {
        address from = _provider(seed);
        vm_.prank(from);
        current().fundRewards(bound(amount, 1, 100 * USD));
    }

    function takeCommission(uint256 seed) external step {
        IMarketWithLens market = _market(seed);
        uint256 due = market.commission();
        vm_.prank(treasury);
        try market.takeCommission() returns (uint256 paid) {
            assertEq(paid, due);
        } catch {
            _forget();
            assertEq(due, 0);
        }
    }

    /// @notice Only a Market may sell or release a node.
    function setSoldByAnybody(uint256 seed, uint256 node, uint32 rev) external step {
        (address cp, uint64 id) = _node(seed, node);
        vm_.prank(_provider(seed));
        // for any order id the call must revert
        // forge-lint: disable-next-line(unsafe-typecast)
        try registry.set_sold(cp, id, uint64(seed), rev) {
            assertTrue(false, "set_sold by anybody");
        } catch {
            _forget();
        }
    }
}
