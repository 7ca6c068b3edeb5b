// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { EXCUSED_DOWNTIME, MIN_PLEDGE, START } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { OrderChecks } from "./OrderChecks.sol";

/// @notice Actions of providers: their nodes, pledges and orders.
abstract contract ProviderHandler is OrderChecks {
    uint256 private constant MAX_NODES = 4;

    /// @notice Number of drops with a part that waited for reports.
    uint256 public pendingDrops;

    function register(uint256 seed) external step {
        address cp = _provider(seed);
        bool may = !access.paused() && !registry.get(cp).exist;
        vm_.prank(cp);
        try registry.register(IRegistry.ProviderInput(vm_.toString(uint256(uint160(cp))), "10.0.0.1", "", 7070)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function revise(uint256 seed, uint16 port) external step {
        address cp = _provider(seed);
        bool may = port != 0 && registry.get(cp).exist;
        vm_.prank(cp);
        try registry.revise(
            IRegistry.ProviderInput(string.concat("again ", vm_.toString(uint256(uint160(cp)))), "10.0.0.2", "rack.example", port)
        ) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function setOperator(uint256 seed) external step {
        address cp = _provider(seed);
        if (!registry.get(cp).exist) return;
        vm_.prank(cp);
        registry.setOperator(seed % 3 == 0 ? address(0) : users[seed % users.length]);
    }

    function addNode(uint256 seed) external step {
        address cp = _provider(seed);
        IRegistry.ProviderView memory p = registry.get(cp);
        if (p.nNode == MAX_NODES) return;
        bool may = !access.paused() && p.exist;
        vm_.prank(cp);
        try registry.add_node(_nodeInput(seed)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function updateNode(uint256 seed, uint256 node) external step {
        (address cp, uint64 id) = _node(seed, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        vm_.prank(cp);
        try registry.updatenode(id, _nodeInput(seed)) {
            assertTrue(n.exist && !n.sold);
        } catch {
            _forget();
            assertFalse(n.exist && !n.sold);
        }
    }

    function delNode(uint256 seed, uint256 node) external step {
        if (seed % 5 != 0) return;
        (address cp, uint64 id) = _node(seed / 5, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        vm_.prank(cp);
        try registry.del_node(id) {
            assertTrue(n.exist && !n.sold);
        } catch {
            _forget();
            assertFalse(n.exist && !n.sold);
        }
    }

    function setOnline(uint256 seed, uint256 node) external step {
        (address cp, uint64 id) = _node(seed, node);
        bool exist = registry.get_node(cp, id).exist;
        vm_.prank(cp);
        try registry.setOnline(cp, id, seed % 4 != 0) {
            assertTrue(exist);
        } catch {
            _forget();
            assertFalse(exist);
        }
    }

    function setMinTerm(uint256 seed, uint256 node) external step {
        (address cp, uint64 id) = _node(seed, node);
        bool exist = registry.get_node(cp, id).exist;
        vm_.prank(_hotKey(cp, seed));
        try registry.setMinTerm(cp, id, seed % 3 == 0 ? 2 days : 0) {
            assertTrue(exist);
        } catch {
            _forget();
            assertFalse(exist);
        }
    }

    function setAvail(uint256 seed, uint256 node, bool avail) external step {
        (address cp, uint64 id) = _node(seed, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        bool may = n.exist && (n.sold || !avail);
        vm_.prank(_hotKey(cp, seed));
        try registry.set_avail(cp, id, avail) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function pledgeMore(uint256 seed, uint256 amount) external step {
        address cp = _provider(seed);
        amount = bound(amount, 1, 2000 * USD);
        bool may = !access.paused() && pledge.pledgeOf(cp) + amount >= MIN_PLEDGE;
        vm_.prank(cp);
        try pledge.pledge(address(credit), amount) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function unpledge(uint256 seed, uint256 amount) external step {
        address cp = _provider(seed);
        uint256 have = pledge.pledgeOf(cp);
        if (have == 0) return;
        amount = seed % 3 == 0 ? have : bound(amount, 1, have);
        bool may = have == amount ? registry.nodesOf(cp) == 0 : have - amount >= MIN_PLEDGE;
        may = may && amount <= pledge.freeOf(cp);
        vm_.prank(cp);
        try pledge.unpledge(address(credit), amount) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function interest(uint256 seed, uint256 amount) external step {
        if (seed % 4 == 0) {
            pledge.updateInterest();
        } else if (seed % 4 == 1) {
            vm_.prank(owner);
            pledge.setRate(bound(amount, 0, 1e18));
        } else if (seed % 4 == 2) {
            vm_.prank(_provider(seed));
            pledge.fundInterest(bound(amount, 1, 10 * USD));
        } else {
            address cp = _provider(seed);
            uint256 due = pledge.getInterest(cp);
            vm_.prank(cp);
            try pledge.withdrawInterest() returns (uint256 paid) {
                assertEq(paid, due);
            } catch {
                _forget();
                assertEq(due, 0);
            }
        }
    }

    function activate(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = o.status == OrderStatus.Created && vm_.getBlockTimestamp() < o.lastSettleTime + START;
        IMarketWithLens market = _marketOf(o.id);
        vm_.prank(_hotKey(o.provider, seed));
        try market.activate(o.id) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function activateWithApp(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = o.status == OrderStatus.Active || (o.status == OrderStatus.Created && vm_.getBlockTimestamp() < o.lastSettleTime + START);
        IMarketWithLens market = _marketOf(o.id);
        vm_.prank(_hotKey(o.provider, seed));
        try market.activateWithApp(o.id, seed % 5 == 0 ? "ubuntu" : "nginx") {
            assertTrue(may);
            assertTrue(registry.get_node(o.provider, o.nodeId).avail);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function providerCancel(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 3 != 0) return;
        IMarketWithLens market = _marketOf(o.id);
        bool may = o.status == OrderStatus.Created || o.status == OrderStatus.Active;
        bool isUnused = _inProbation(o) || o.status == OrderStatus.Created;
        uint256 quoted = _quote(market, o.id, true, may);
        (uint256 before, uint256 pledged) = (credit.balanceOf(o.user), pledge.pledgeOf(o.provider));
        vm_.prank(o.provider);
        try market.providerCancel(o.id) {
            assertTrue(may);
            assertEq(credit.balanceOf(o.user) - before, quoted);
            IMarket.Order memory closed = market.getOrder(o.id);
            uint256 rest = _promiseOf(closed);
            uint256 owed = isUnused ? Math.min(_startPenaltyOf(o), rest) : rest;
            if (!isUnused && o.down > EXCUSED_DOWNTIME && !_isLost(o)) owed = 0;
            assertEq(pledged - pledge.pledgeOf(o.provider), _paidTwice(o, closed) + owed, "a promise was not kept");
            uint256 gained = closed.remuneration - o.remuneration;
            assertEq(gained, isUnused ? _dueNow(o) : _dueByReports(o), "dropping an order was paid for hours that no report has seen");
            if (closed.pendingUntil != 0) ++pendingDrops;
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function proWithdraw(uint256 seed) external step {
        IMarketWithLens market = _market(seed);
        address cp = _provider(seed >> 8);
        uint256 due = market.earned(cp);
        address to = seed % 3 == 0 ? providers[0] : cp;
        uint256 before = credit.balanceOf(to);
        vm_.prank(cp);
        try market.proWithdrawTo(to) returns (uint256 paid) {
            assertEq(paid, due);
            assertEq(credit.balanceOf(to) - before, due);
        } catch {
            _forget();
            assertEq(due, 0);
        }
    }

    /// @dev The operator that `cp` has appointed, sometimes.
    function _hotKey(address cp, uint256 seed) private view returns (address) {
        address operator = registry.operatorOf(cp);
        return seed % 2 == 0 || operator == address(0) ? cp : operator;
    }

    function _nodeInput(uint256 seed) private pure returns (IRegistry.NodeInput memory) {
        return IRegistry.NodeInput({
            cpuModel: "Xeon",
            gpuModel: seed % 2 == 0 ? "RTX 4090" : "",
            // at most 4
            // forge-lint: disable-next-line(unsafe-typecast)
            nCPU: uint16(1 + seed % 4),
            core: 8,
            nGPU: uint16((seed >> 8) % 5),
            nMEM: uint32((seed >> 16) % 1024),
            nDISK: uint32((seed >> 32) % 4096),
            pCPU: (1 + (seed >> 48) % 1e12) * 1e9,
            pGPU: ((seed >> 64) % 1e12) * 1e9,
            pMEM: ((seed >> 96) % 1e9) * 1e9,
            pDISK: ((seed >> 128) % 1e8) * 1e9
        });
    }
}
