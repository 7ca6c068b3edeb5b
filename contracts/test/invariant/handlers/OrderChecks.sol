// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Accrual } from "../../../src/libraries/Accrual.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { ALLOWED_PART } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Actors } from "./Actors.sol";

/// @notice Checks of every order after every call, and of one order after the call that moved its money.
abstract contract OrderChecks is Actors {
    /// @notice Records the logs of the call, replays them, and checks every order that it may have touched.
    modifier step() {
        ++steps;
        vm_.recordLogs();
        _;
        replay.apply_(vm_.getRecordedLogs(), uint40(vm_.getBlockTimestamp()));
        _checkOrders();
    }

    function _checkOrders() internal {
        for (uint256 m = 0; m < markets.length; ++m) {
            uint64 last = markets[m].lastId();
            for (uint64 id = markets[m].firstOrderId(); id <= last; ++id) {
                OrderStatus before = statusOf[id];
                if (_isTerminal(before)) continue;
                IMarket.Order memory o = markets[m].getOrder(id);
                _checkTransition(before, o.status);
                bytes32 fixed_ = _fixedHash(o);
                if (before == OrderStatus.None) fixedHash[id] = fixed_;
                assertEq(fixed_, fixedHash[id], "a fixed field changed");
                assertGe(o.remuneration, remunerationOf[id], "remuneration fell");
                assertTrue(o.deployed || !deployedOf[id], "an order forgot that it was deployed");
                assertGe(o.lastSettleTime, settledOf[id], "lastSettleTime fell");
                _checkBounds(o);
                (statusOf[id], remunerationOf[id], settledOf[id]) = (o.status, o.remuneration, o.lastSettleTime);
                (deployedOf[id], hadDowntime[id]) = (o.deployed, hadDowntime[id] || o.down != 0);
            }
        }
    }

    /// @notice A cancel pays at most the closed form without downtime.
    function _checkPayment(IMarketWithLens market, IMarket.Order memory before) internal view {
        IMarket.Order memory o = market.getOrder(before.id);
        if (o.activateTime == 0) return;
        uint256 end = o.activateTime + o.duration;
        uint256 time = vm_.getBlockTimestamp() < end ? vm_.getBlockTimestamp() : end;
        uint256 paidFrom = o.activateTime + o.down;
        uint256 most = time > paidFrom ? Accrual.accrued(o.rate, time - paidFrom) : 0;
        uint256 floor = before.remuneration + _dueAtEdge(before);
        assertLe(o.remuneration, most > floor ? most : floor);
    }

    /// @notice A downtime report takes nothing that is final, and at most the window.
    function _checkStatement(IMarketWithLens market, IMarket.Order memory before) internal view {
        IMarket.Order memory o = market.getOrder(before.id);
        if (_isActive(before) && o.status == OrderStatus.ProviderCancelled) return;
        assertTrue(o.down >= before.down || o.reportedUntil > before.reportedUntil, "what was reported last holds");
        if (!_isActive(before)) {
            assertLe(before.remuneration, o.remuneration);
            assertLe(o.remuneration - before.remuneration, before.remain, "more than was pending");
        } else {
            assertEq(o.remuneration, before.remuneration + _dueAtEdge(before), "a statement took what was final");
            uint256 end = o.activateTime + o.duration;
            uint256 now_ = vm_.getBlockTimestamp();
            uint256 reach = Accrual.accrued(o.rate, o.holdback) + 1;
            uint256 dueBefore = Accrual.due(before.rate, before.remuneration, before.activateTime, before.down, now_ < end ? now_ : end);
            uint256 dueAfter = Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, now_ < end ? now_ : end);
            assertLe(before.remuneration + dueBefore, o.remuneration + dueAfter + reach, "a statement reached beyond the window");
        }
    }

    function _dueAtEdge(IMarket.Order memory o) internal view returns (uint256) {
        if (!_isActive(o)) return 0;
        uint256 edge = Accrual.edge(vm_.getBlockTimestamp(), o.holdback, o.activateTime, o.activateTime + o.duration);
        return Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, edge);
    }

    /// @notice The amount due of an order that ends in its probation: for every second since the activation.
    function _dueNow(IMarket.Order memory o) internal view returns (uint256) {
        if (!_isActive(o)) return 0;
        return Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, vm_.getBlockTimestamp());
    }

    /// @notice The amount due of a used order, for time that is final or covered by reports.
    function _dueByReports(IMarket.Order memory o) internal view returns (uint256) {
        if (_isLost(o)) return Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, o.reportedUntil);
        uint256 edge = Accrual.edge(vm_.getBlockTimestamp(), o.holdback, o.activateTime, o.activateTime + o.duration);
        return Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, edge > o.reportedUntil ? edge : o.reportedUntil);
    }

    /// @notice Compensation for downtime that an order's provider paid when the order was closed.
    function _paidTwice(IMarket.Order memory before, IMarket.Order memory closed) internal pure returns (uint256) {
        if (closed.reportedUntil != 0) {
            uint256 allowed = (closed.reportedUntil - closed.activateTime) / ALLOWED_PART;
            uint256 beyond = Math.min(Math.saturatingSub(closed.down, allowed), closed.penalty);
            assertGe(closed.creditedTwice, beyond, "downtime beyond the allowance is paid once more");
            if (closed.reportedUntil == before.reportedUntil && closed.down == before.down) {
                assertEq(closed.creditedTwice, Math.max(before.creditedTwice, beyond), "downtime within the allowance is not");
            }
        }
        return Accrual.accrued(closed.rate, closed.creditedTwice) - Accrual.accrued(before.rate, before.creditedTwice);
    }

    function _quote(IMarketWithLens market, uint64 id, bool byProvider, bool may) internal view returns (uint256 toUser) {
        try market.quoteCancel(id, byProvider) returns (uint256 quoted, uint256, uint256, uint256, uint256) {
            assertTrue(may);
            return quoted;
        } catch {
            assertFalse(may);
        }
    }

    function _statement(IMarketWithLens market, IMarket.Order memory o, uint256 seed, uint32 total, uint256 back)
        internal
        view
        returns (uint32 claim, uint40 asOf, bytes memory sig)
    {
        claim = uint32(seed % 5 == 0 ? total : bound(total, 0, 2 days));
        asOf = uint40(vm_.getBlockTimestamp() - bound(back, 0, 3 days));
        bytes32 typeHash = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
        sig = _sign(market, keccak256(abi.encode(typeHash, o.id, claim, asOf)));
    }

    function _checkBounds(IMarket.Order memory o) private view {
        if (o.activateTime == 0) {
            assertEq(o.remuneration, 0);
            return;
        }
        uint256 end = o.activateTime + o.duration;
        uint256 now_ = vm_.getBlockTimestamp();
        uint256 earnedAtMost = Accrual.accrued(o.rate, (now_ < end ? now_ : end) - o.activateTime);
        assertLe(o.remuneration, earnedAtMost, "paid more than the closed form");
        assertLe(earnedAtMost, o.totalValue);
        assertEq(o.totalValue, Accrual.accrued(o.rate, o.duration));
        assertGe(o.lastSettleTime, o.activateTime);
        assertLe(o.lastSettleTime, now_ < end ? now_ : end);
        assertEq(replay.commissionOf(o.id), o.remuneration * o.commissionBps / 10_000, "commission depends on the split");
        if (_isActive(o) && o.down == 0 && !hadDowntime[o.id]) {
            assertEq(o.remuneration, Accrual.accrued(o.rate, o.lastSettleTime - o.activateTime), "payment depends on the split");
        }
        if (o.status == OrderStatus.ProbationRefunded) assertFalse(o.deployed, "a used order was paid back as unused");
    }

    function _checkTransition(OrderStatus from, OrderStatus to) private pure {
        if (from == to) return;
        bool allowed;
        if (from == OrderStatus.None) {
            allowed = to == OrderStatus.Created;
        } else if (from == OrderStatus.Created) {
            allowed = to == OrderStatus.Active || to == OrderStatus.UserCancelled || to == OrderStatus.ProviderCancelled;
        } else if (from == OrderStatus.Active) {
            allowed = to != OrderStatus.None && to != OrderStatus.Created;
        } else if (from == OrderStatus.Expired) {
            allowed = to == OrderStatus.Completed || to == OrderStatus.ProviderCancelled;
        }
        assertTrue(allowed, "a status moved off the table");
    }

    function _isTerminal(OrderStatus status) private pure returns (bool) {
        return status == OrderStatus.Completed || status == OrderStatus.UserCancelled || status == OrderStatus.ProviderCancelled
            || status == OrderStatus.ProbationRefunded;
    }

    function _fixedHash(IMarket.Order memory o) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                abi.encode(o.id, o.user, o.provider, o.nodeId, o.rate, o.probation, o.holdback, o.penalty, o.commissionBps),
                abi.encode(o.nCPU, o.nGPU, o.nMEM, o.nDISK, o.pCPU, o.pGPU, o.pMEM, o.pDISK)
            )
        );
    }
}
