// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Accrual } from "../../../src/libraries/Accrual.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { MAX_DURATION, MIN_DURATION, MIN_PLEDGE, MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { OrderChecks } from "./OrderChecks.sol";

/// @notice Actions of buyers: buy, extend, name the application, leave, redeem vouchers.
abstract contract BuyerHandler is OrderChecks {
    function createOrder(uint256 seed, uint256 node, uint256 duration) external step {
        _createOrder(seed, node, bound(duration, MONTH, 3 * MONTH));
    }

    /// @notice For hours instead of months, which a node may refuse.
    function createShortOrder(uint256 seed, uint256 node, uint256 duration) external step {
        _createOrder(seed, node, bound(duration, MIN_DURATION, 3 days));
    }

    /// @notice The usual actions of buyers and providers, so that campaigns have many running orders.
    function createAndActivate(uint256 seed, uint256 node, uint256 duration) external step {
        uint64 id = _createOrder(seed, node, bound(duration, MONTH, 3 * MONTH));
        if (id == 0) return;
        _checkOrders();
        vm_.prank(_provider(seed));
        current().activate(id);
    }

    function extend(uint256 seed, uint256 dur) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        dur = bound(dur, MONTH, 2 * MONTH);
        IMarketWithLens market = _marketOf(o.id);
        bool may =
            !access.paused() && market == current() && o.status == OrderStatus.Active && registry.get_node(o.provider, o.nodeId).online;
        if (may) may = o.activateTime + o.duration - vm_.getBlockTimestamp() + dur <= MAX_DURATION;
        vm_.prank(o.user);
        // dur is at most two months
        // forge-lint: disable-next-line(unsafe-typecast)
        try market.extend(o.id, uint32(dur)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function userConfirm(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 3 != 0) return;
        bool may = _inProbation(o);
        IMarketWithLens market = _marketOf(o.id);
        vm_.prank(o.user);
        try market.userConfirm(o.id) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function setApp(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = o.status == OrderStatus.Created || o.status == OrderStatus.Active;
        IMarketWithLens market = _marketOf(o.id);
        vm_.prank(seed % 2 == 0 ? o.user : o.provider);
        try market.setApp(o.id, seed % 5 == 0 ? "" : "ubuntu") {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function userCancel(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 3 != 0) return;
        IMarketWithLens market = _marketOf(o.id);
        bool may = o.status == OrderStatus.Created || _isActive(o);
        uint256 quoted = _quote(market, o.id, false, may);
        uint256 before = credit.balanceOf(o.user);
        vm_.prank(o.user);
        try market.userCancel(o.id) {
            assertTrue(may);
            assertEq(credit.balanceOf(o.user) - before, quoted);
            _checkPayment(market, o);
            if (_inProbation(o)) assertEq(market.getOrder(o.id).remuneration - o.remuneration, _dueNow(o), "held and not paid");
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function userCancelWith(uint256 seed, uint32 total, uint256 back) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 4 != 0) return;
        IMarketWithLens market = _marketOf(o.id);
        (uint32 claim, uint40 asOf, bytes memory sig) = _statement(market, o, seed, total, back);
        bool may = _isActive(o) || o.pendingUntil != 0;
        vm_.prank(o.user);
        try market.userCancelWith(o.id, claim, asOf, sig) {
            assertTrue(may);
            _checkPayment(market, o);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function voucher(uint256 seed, uint256 amount) external step {
        IMarketWithLens market = _market(seed);
        address account = _user(seed >> 8);
        amount = bound(amount, 1, 50 * USD);
        bytes memory sig = _voucher(market, account, amount);
        bool may = amount <= market.rewards() && amount <= market.rewardsLeftToday();
        vm_.prank(account);
        try market.withdraw(amount, sig) {
            assertTrue(may);
            vouched[account] += amount;
            vouchedOnDay[vm_.getBlockTimestamp() / 1 days][address(market)] += amount;
            assertLe(vouchedOnDay[vm_.getBlockTimestamp() / 1 days][address(market)], market.params().rewardDayCap);
            vm_.prank(account);
            try market.withdraw(amount, sig) {
                assertTrue(false, "a voucher was paid twice");
            } catch { }
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function _createOrder(uint256 seed, uint256 node, uint256 duration) private returns (uint64 created) {
        (address cp, uint64 id) = _node(seed, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        address user = _user(seed >> 8);
        IMarket.OrderInput memory input = IMarket.OrderInput({
            provider: cp,
            nodeId: id,
            rev: seed % 16 == 0 ? n.rev + 1 : n.rev,
            // forge-lint: disable-next-line(unsafe-typecast)
            duration: uint32(duration),
            maxFee: type(uint256).max,
            conditions: _conditions(),
            app: seed % 3 == 0 ? "" : "nginx"
        });
        bool may = !access.paused() && n.exist && n.online && input.rev == n.rev && (n.orderId == 0 || _isReleasable(n.orderId));
        may = may && _isBacked(cp, n) && input.duration >= n.minTerm;
        vm_.prank(user);
        try current().createOrder(input) returns (uint64 newId) {
            assertTrue(may);
            created = newId;
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function _conditions() private view returns (IMarket.Conditions memory) {
        IMarket.Params memory params = current().params();
        return IMarket.Conditions(params.probation, params.holdback, params.penalty, params.commissionBps);
    }

    /// @notice Whether the provider's free pledge covers the promise, once the order that holds the node is released.
    function _isBacked(address cp, IRegistry.NodeView memory n) private view returns (bool) {
        (uint256 pledged, uint256 free) = (pledge.pledgeOf(cp), pledge.freeOf(cp));
        if (n.orderId != 0) {
            IMarket.Order memory held = _marketOf(n.orderId).getOrder(n.orderId);
            if (held.status == OrderStatus.Created) {
                pledged -= _startPenaltyOf(held);
                free = free + _promiseOf(held) - _startPenaltyOf(held);
            }
        }
        (, uint256 rate,) = registry.termsOf(cp, n.id);
        return pledged >= MIN_PLEDGE && free >= Accrual.accrued(rate, current().params().penalty);
    }

    function _voucher(IMarketWithLens market, address account, uint256 amount) private view returns (bytes memory) {
        bytes32 typeHash = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");
        uint256 deadline = type(uint256).max;
        return abi.encode(deadline, _sign(market, keccak256(abi.encode(typeHash, account, amount, market.nonces(account), deadline))));
    }
}
