// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IPledge } from "../../src/interfaces/IPledge.sol";
import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { Accrual } from "../../src/libraries/Accrual.sol";
import { MIN_PLEDGE } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Campaign } from "./Campaign.sol";
import { Replay } from "./Replay.sol";

/// @notice Holds whatever anybody does. The numbers are those of the README in this folder.
contract InvariantsTest is Campaign {
    /// forge-config: default.invariant.fail-on-revert = true
    function invariant_MarketHoldsItsPromises() public view {
        for (uint256 m = 0; m < handler.marketCount(); ++m) {
            requireSolvent(handler.markets(m));
        }
        requirePledgesBalance();
        if (handler.steps() % 8 == 0) requireTheSums();
    }

    function afterInvariant() public view {
        requireTheSums();
        for (uint256 m = 0; m < handler.marketCount(); ++m) {
            requireReplayedMarket(handler.markets(m));
            address market_ = address(handler.markets(m));
            assertEq(registry.isMarket(market_), access.isMarket(market_), "12: Registry and Access disagree about a Market");
            assertEq(replay.inService(market_), access.isMarket(market_), "14: rights of a Market");
        }
        requireReplayedRegistry();
        requireReplayedPledges();
        assertEq(replay.version(), access.CurrentVer());
        for (uint32 ver = 1; ver <= access.CurrentVer(); ++ver) {
            assertEq(abi.encode(replay.getSet(ver)), abi.encode(access.addresses(ver)), "14: a version");
        }
        assertEq(replay.pausedUntil(), access.pausedUntil());
        assertEq(replay.holder(IAccess.Role.Guardian), access.guardian());
        assertEq(replay.holder(IAccess.Role.Validator), access.validator());
        assertEq(replay.holder(IAccess.Role.Treasury), access.treasury());
    }

    // ---- 1, 2, and a Market without escrow holds no node

    function requireSolvent(IMarketWithLens m) internal view {
        uint256 remain = 0;
        for (uint64 id = m.firstOrderId(); id <= m.lastId(); ++id) {
            OrderStatus status = handler.statusOf(id);
            // The pending amount of an order that buyer or provider cancelled.
            if (status != OrderStatus.Completed && status != OrderStatus.ProbationRefunded) {
                remain += m.getOrder(id).remain;
            }
        }
        assertEq(m.escrow(), remain, "2: escrow is the sum of what remains");
        uint256 earned = 0;
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            earned += m.earned(handler.providers(i));
        }
        uint256 owed = m.escrow() + earned + m.commission() + m.rewards();
        assertEq(credit.balanceOf(address(m)), owed + handler.donated(address(m)), "1: the balance covers every promise");
    }

    /// @dev Expensive, and a violation never disappears by itself: not checked after every call.
    function requireTheSums() internal view {
        requireNodesNameTheirOrders();
        requireUsersGotTheirMoney();
        requirePromisesAreBacked();
    }

    // ---- 5

    function requireNodesNameTheirOrders() internal view {
        IRegistry.Global memory sums;
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            IRegistry.ProviderView memory p = registry.get(handler.providers(i));
            IRegistry.ProviderView memory own;
            IRegistry.NodeView[] memory nodes = registry.list_node(p.addr, 0, 200);
            for (uint256 k = 0; k < nodes.length; ++k) {
                IRegistry.NodeView memory n = nodes[k];
                if (!n.exist) {
                    assertEq(n.orderId, 0);
                    continue;
                }
                (own.nNode, own.nMem, own.nDisk) = (own.nNode + 1, own.nMem + n.nMEM, own.nDisk + n.nDISK);
                if (!n.sold) {
                    assertFalse(n.avail);
                    continue;
                }
                (own.uNode, own.uMem, own.uDisk) = (own.uNode + 1, own.uMem + n.nMEM, own.uDisk + n.nDISK);
                IMarket.Order memory o = IMarketWithLens(access.marketOf(n.orderId)).getOrder(n.orderId);
                assertEq(o.provider, p.addr);
                assertEq(o.nodeId, n.id);
                assertGt(o.remain, 0, "5: a closed order holds a node");
            }
            assertEq(abi.encode(p.nNode, p.nMem, p.nDisk), abi.encode(own.nNode, own.nMem, own.nDisk), "5: counters");
            assertEq(abi.encode(p.uNode, p.uMem, p.uDisk), abi.encode(own.uNode, own.uMem, own.uDisk), "5: counters of sold");
            if (p.exist) ++sums.cpNumber;
            (sums.nodeGlobal, sums.memGlobal, sums.diskGlobal) =
            (sums.nodeGlobal + own.nNode, sums.memGlobal + own.nMem, sums.diskGlobal + own.nDisk);
            (sums.nodeUsed, sums.memUsed, sums.diskUsed) = (sums.nodeUsed + own.uNode, sums.memUsed + own.uMem, sums.diskUsed + own.uDisk);
        }
        assertEq(abi.encode(sums), abi.encode(registry.gInfo()), "5: global counters");
        for (uint256 m = 0; m < handler.marketCount(); ++m) {
            IMarketWithLens market_ = handler.markets(m);
            for (uint64 id = market_.firstOrderId(); id <= market_.lastId(); ++id) {
                OrderStatus status = handler.statusOf(id);
                if (status != OrderStatus.Created && status != OrderStatus.Active) continue;
                IMarket.Order memory o = market_.getOrder(id);
                assertEq(registry.get_node(o.provider, o.nodeId).orderId, id, "5: a running order has lost its node");
            }
        }
    }

    // ---- 6

    function requireUsersGotTheirMoney() internal view {
        for (uint256 i = 0; i < handler.userCount(); ++i) {
            address buyer = handler.users(i);
            uint256 paid = 0;
            uint256 back = handler.vouched(buyer);
            for (uint256 m = 0; m < handler.marketCount(); ++m) {
                (uint64[] memory ids,) = handler.markets(m).getKeys(buyer, 0, 200);
                for (uint256 k = 0; k < ids.length; ++k) {
                    IMarket.Order memory o = handler.markets(m).getOrder(ids[k]);
                    paid += o.totalValue;
                    back += o.totalValue - o.remuneration - o.remain + replay.compensationOf(o.id);
                }
            }
            assertEq(credit.balanceOf(buyer) + paid, handler.granted(buyer) + back, "6: a buyer's money");
        }
    }

    // ---- 18

    function requirePromisesAreBacked() internal view {
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            address cp = handler.providers(i);
            uint256 promised = 0;
            for (uint256 m = 0; m < handler.marketCount(); ++m) {
                (uint64[] memory ids,) = handler.markets(m).getProList(cp, 0, 200);
                for (uint256 k = 0; k < ids.length; ++k) {
                    OrderStatus status = handler.statusOf(ids[k]);
                    IMarket.Order memory o = handler.markets(m).getOrder(ids[k]);
                    promised += o.locked;
                    bool isOpen = status == OrderStatus.Created || status == OrderStatus.Active || status == OrderStatus.Expired;
                    if (!isOpen && o.locked == 0) continue;
                    assertTrue(isOpen || o.pendingUntil != 0, "18: an order that is decided keeps a lock");
                    assertEq(o.locked, Accrual.accrued(o.rate, o.penalty) - Accrual.accrued(o.rate, o.creditedTwice), "18: a promise");
                }
            }
            assertEq(pledge.getPledge(cp).locked, promised, "18: what is locked is what is promised");
        }
    }

    // ---- 10, 11

    function requirePledgesBalance() internal view {
        uint256 sum = 0;
        uint256 locked = 0;
        uint256 interest = 0;
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            IPledge.PledgeInfo memory info = pledge.getPledge(handler.providers(i));
            sum += info.pledge;
            locked += info.locked;
            interest += info.interest;
            if (info.pledge != 0 && info.pledge < MIN_PLEDGE) assertTrue(replay.hasCompensated(info.account), "10: a dwarf pledge");
            assertLe(info.locked, info.pledge, "18: a promise without a pledge");
        }
        assertEq(pledge.totalPledged(), sum, "10: the sum of pledges");
        assertEq(pledge.totalLocked(), locked, "18: the sum of locks");
        assertLe(interest, pledge.owed() + pledge.pool(), "11: more interest than there is");
        uint256 promised = sum + pledge.pool() + pledge.owed() + handler.donated(address(pledge));
        assertEq(credit.balanceOf(address(pledge)), promised, "10: the balance covers every promise");
    }

    // ---- 14

    function requireReplayedMarket(IMarketWithLens m) internal view {
        for (uint64 id = m.firstOrderId(); id <= m.lastId(); ++id) {
            IMarket.Order memory o = m.getOrder(id);
            if (o.status == OrderStatus.Expired) o.status = OrderStatus.Active;
            assertEq(abi.encode(replay.getOrder(id)), abi.encode(o), "14: an order");
        }
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            assertEq(replay.earned(address(m), handler.providers(i)), m.earned(handler.providers(i)), "14: earned");
            assertEq(replay.nonces(address(m), handler.users(i)), m.nonces(handler.users(i)), "14: nonces");
            (uint64[] memory bought,) = m.getKeys(handler.users(i), 0, 200);
            (uint64[] memory sold,) = m.getProList(handler.providers(i), 0, 200);
            requireReversed(replay.boughtIds(address(m), handler.users(i)), bought);
            requireReversed(replay.soldIds(address(m), handler.providers(i)), sold);
        }
        assertEq(replay.commission(address(m)), m.commission(), "14: commission");
        assertEq(replay.rewards(address(m)), m.rewards(), "14: rewards");
        IMarket.Params memory params = m.params();
        assertEq(replay.params(address(m), "commissionBps"), params.commissionBps, "14: commissionBps");
        assertEq(replay.params(address(m), "probation"), params.probation, "14: probation");
        assertEq(replay.params(address(m), "holdback"), params.holdback, "14: holdback");
        assertEq(replay.params(address(m), "penalty"), params.penalty, "14: penalty");
        assertEq(replay.params(address(m), "rewardDayCap"), params.rewardDayCap, "14: rewardDayCap");
        uint256 span = vm.getBlockTimestamp() / replay.REWARD_SPAN();
        uint256 paidToday = 0;
        for (uint256 back = 0; back < 4; ++back) {
            paidToday += replay.rewarded(address(m), span - back);
        }
        uint256 left = params.rewardDayCap > paidToday ? params.rewardDayCap - paidToday : 0;
        assertEq(m.rewardsLeftToday(), left, "14: rewards left today");
    }

    function requireReversed(uint64[] memory oldestFirst, uint64[] memory newestFirst) internal pure {
        assertEq(oldestFirst.length, newestFirst.length, "14: how many orders");
        for (uint256 i = 0; i < oldestFirst.length; ++i) {
            assertEq(oldestFirst[i], newestFirst[newestFirst.length - 1 - i], "14: the orders of an account");
        }
    }

    function requireReplayedRegistry() internal view {
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            IRegistry.ProviderView memory p = registry.get(handler.providers(i));
            Replay.Provider memory r = replay.getProvider(p.addr);
            assertEq(
                abi.encode(r.exist, r.name, r.ip, r.domain, r.port, r.operator, r.lastNode),
                abi.encode(p.exist, p.name, p.ip, p.domain, p.port, p.operator, p.lastNode),
                "14: a provider"
            );
            for (uint64 id = 1; id <= p.lastNode; ++id) {
                IRegistry.NodeView memory n = registry.get_node(p.addr, id);
                IRegistry.NodeView memory replayed = replay.getNode(p.addr, id);
                if (n.exist) assertEq(abi.encode(replayed), abi.encode(n), "14: a node");
                else assertFalse(replayed.exist, "14: a deleted node");
            }
        }
    }

    function requireReplayedPledges() internal view {
        for (uint256 i = 0; i < handler.providerCount(); ++i) {
            IPledge.PledgeInfo memory info = pledge.getPledge(handler.providers(i));
            (uint256 balance, uint256 locked,,, uint40 lastTime, bool exist) = replay.accounts(info.account);
            assertEq(locked, info.locked, "14: what is locked");
            assertEq(abi.encode(balance, lastTime, exist), abi.encode(info.pledge, info.lastTime, info.exist), "14: a pledge");
            // The view includes a booking that no event has announced yet.
            assertLe(replay.interestOf(info.account), info.interest, "14: interest");
        }
        assertEq(replay.totalPledged(), pledge.totalPledged(), "14: totalPledged");
        assertEq(replay.pool(), pledge.pool(), "14: pool");
        assertEq(replay.owed(), pledge.owed(), "14: owed");
        assertEq(replay.rate(), pledge.getRate(), "14: rate");
    }
}
