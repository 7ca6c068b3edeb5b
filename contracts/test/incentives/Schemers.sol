// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../src/interfaces/IMarket.sol";
import { MONTH, REPORT_PERIOD } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Base } from "../Base.t.sol";
import { PaymentOracle } from "../oracle/PaymentOracle.sol";

/// @notice A buyer and a provider that try all their strategies and play the most profitable one, an agent that activates half a minute
/// after a purchase, and monitors that report the truth every period while they are not silent. The truth is kept here, apart from the contracts.
abstract contract Schemers is Base {
    uint256 internal constant ACTIVATES_AFTER = 30 seconds;
    uint256 internal constant NODES = 2;
    uint256 internal constant RATE = 420e18;

    struct Truth {
        uint256 boughtAt;
        uint256 endedAt; // when buyer or provider left it, or its time was over; 0 while it is live
        uint256 computed; // seconds in which an application was running
        uint256 held; // seconds since activation
        uint256 down; // seconds of `held` in which the machine was off
        bool computing;
        bool silence; // the monitors were silent at some time during it
        bool dropped; // by its provider, or because of its absence
        bool decided;
    }

    uint64[] internal ids;
    /// @dev Orders for which the contracts may still pay something.
    uint64[] internal open;
    mapping(uint256 nodeId => uint64 id) internal newestOf;
    mapping(uint64 id => Truth) internal truths;
    bool internal isUp = true;
    bool internal monitorsSpeak = true;
    uint256 internal lastReport;
    uint256 internal wealthAtStart;

    function setUp() public override {
        super.setUp();
        registerProvider(provider);
        for (uint256 i = 0; i < NODES; ++i) {
            addNode(provider);
        }
        pledgeFor(provider, 10_000 * USD);
        fund(user, 1e30);
        wealthAtStart = wealth();
        lastReport = vm.getBlockTimestamp();
    }

    // ---- the buyer

    function buyNode(uint256 seed) internal {
        // 1 or 2
        // forge-lint: disable-next-line(unsafe-typecast)
        uint64 nodeId = uint64(1 + seed % NODES);
        uint64 holder = registry.get_node(provider, nodeId).orderId;
        if (holder != 0 && truths[holder].endedAt == 0) return;
        uint64 id = buy(nodeId, MONTH);
        ids.push(id);
        open.push(id);
        newestOf[nodeId] = id;
        truths[id].boughtAt = vm.getBlockTimestamp();
        truths[id].silence = !monitorsSpeak;
    }

    function deploy(uint256 seed) internal {
        (uint64 id, IMarket.Order memory o) = liveOrder(seed);
        if (id == 0 || !isUp) return;
        if (o.status == OrderStatus.Created || o.status == OrderStatus.Active) {
            vm.prank(provider);
            market.activateWithApp(id, "nginx");
            truths[id].computing = true;
        }
    }

    function clean(uint256 seed) internal {
        (uint64 id, IMarket.Order memory o) = liveOrder(seed);
        if (id == 0 || !truths[id].computing || o.status != OrderStatus.Active) return;
        truths[id].computing = false;
        vm.startPrank(provider);
        registry.set_avail(provider, o.nodeId, false);
        market.setApp(id, "");
        vm.stopPrank();
    }

    function quit(uint256 seed) internal {
        (uint64 id,) = liveOrder(seed);
        if (id == 0) return;
        vm.prank(user);
        market.userCancel(id);
        truths[id].endedAt = vm.getBlockTimestamp();
        truths[id].dropped = market.getOrder(id).status == OrderStatus.ProviderCancelled;
    }

    /// @notice Tries all strategies on an order and plays the one that leaves the buyer most, with computed time valued at the price.
    function cheatBest(uint256 seed) internal {
        (uint64 id, IMarket.Order memory o) = liveOrder(seed);
        if (id == 0 || !isUp || (o.status != OrderStatus.Created && o.status != OrderStatus.Active)) return;
        (uint256 best, uint256 most) = (0, 0);
        for (uint256 game = 0; game < 4; ++game) {
            uint256 snapshot = vm.snapshotState();
            cheat(game, seed);
            uint256 left = credit.balanceOf(user) + A(truths[id].computed);
            vm.revertToStateAndDelete(snapshot);
            if (left > most) (best, most) = (game, left);
        }
        cheat(best, seed);
    }

    /// @dev Computing within the probation and cleaning before the cancel, the same for longer, holding without deploying, and leaving at
    /// once.
    function cheat(uint256 game, uint256 seed) private {
        if (game < 2) {
            deploy(seed);
            passTime(game == 0 ? 9 minutes : 3 hours);
            clean(seed);
        } else if (game == 2) {
            passTime(1 days);
        }
        quit(seed);
        passTime(8 hours);
    }

    // ---- the provider

    /// @notice Tries all strategies on an order and plays the one that leaves the provider most. Every other time, somebody else offers
    /// twice the price for two days.
    function playBest(uint256 seed) internal {
        (uint64 id, IMarket.Order memory o) = liveOrder(seed);
        if (id == 0 || (o.status != OrderStatus.Created && o.status != OrderStatus.Active)) return;
        uint256 offer = (seed >> 16) % 2 * 2 * A(2 days);
        (uint256 best, uint256 most) = (0, 0);
        for (uint256 game = 0; game < 5; ++game) {
            uint256 snapshot = vm.snapshotState();
            play(game, id, seed);
            uint256 left = wealth() + (game < 3 ? offer : 0);
            vm.revertToStateAndDelete(snapshot);
            if (left > most) (best, most) = (game, left);
        }
        play(best, id, seed);
    }

    /// @dev Dropping it, dropping it with an empty pledge, staying away for two days, staying away until just before a report, and serving.
    function play(uint256 game, uint64 id, uint256 seed) private {
        uint256 taken = game == 1 ? takeAllBack() : 0;
        if (game < 2) drop(id);
        isUp = game < 2 || game == 4;
        if (game == 3) {
            passTime(7 hours);
            quit(seed);
        }
        passTime(2 days);
        isUp = true;
        if (taken != 0) pledgeFor(provider, taken);
    }

    /// @dev More than the free pledge, which the Pledge refuses.
    function takeAllBack() private returns (uint256 taken) {
        taken = pledge.pledgeOf(provider) - USD;
        vm.prank(provider);
        try pledge.unpledge(address(credit), taken) { }
        catch {
            taken = 0;
        }
    }

    function drop(uint64 id) internal {
        vm.prank(provider);
        market.providerCancel(id);
        (truths[id].endedAt, truths[id].dropped) = (vm.getBlockTimestamp(), true);
    }

    function takePledgeBack() internal {
        (uint256 free, uint256 pledged) = (pledge.freeOf(provider), pledge.pledgeOf(provider));
        // A provider with nodes has to keep a dollar.
        if (pledged - free < USD) free = pledged - USD;
        if (free == 0) return;
        vm.prank(provider);
        pledge.unpledge(address(credit), free);
        pledgeFor(provider, free);
    }

    // ---- time

    function passTime(uint256 time) internal {
        uint256 until = vm.getBlockTimestamp() + time;
        while (vm.getBlockTimestamp() < until) {
            uint256 next = until;
            if (lastReport + REPORT_PERIOD < next) next = lastReport + REPORT_PERIOD;
            for (uint256 i = 0; i < open.length; ++i) {
                uint256 activation = truths[open[i]].boughtAt + ACTIVATES_AFTER;
                if (activation > vm.getBlockTimestamp() && activation < next) next = activation;
            }
            live(next - vm.getBlockTimestamp());
            pass(next - vm.getBlockTimestamp());
            activateWhatWaits();
            if (next == lastReport + REPORT_PERIOD) reportPeriod();
            decide();
        }
    }

    /// @dev Records the next `time` seconds, which are all alike, for every running order.
    function live(uint256 time) private {
        for (uint256 i = 0; i < open.length; ++i) {
            Truth storage t = truths[open[i]];
            if (t.endedAt != 0) continue;
            IMarket.Order memory o = market.getOrder(open[i]);
            if (o.activateTime == 0) continue;
            uint256 left = uint256(o.activateTime) + o.duration - vm.getBlockTimestamp();
            uint256 lived = time < left ? time : left;
            t.held += lived;
            if (!isUp) t.down += lived;
            else if (t.computing) t.computed += lived;
            if (lived == left) t.endedAt = vm.getBlockTimestamp() + left;
        }
    }

    function activateWhatWaits() private {
        if (!isUp) return;
        for (uint256 i = 0; i < open.length; ++i) {
            Truth storage t = truths[open[i]];
            if (t.endedAt != 0 || vm.getBlockTimestamp() < t.boughtAt + ACTIVATES_AFTER) continue;
            if (market.getOrder(open[i]).status == OrderStatus.Created && vm.getBlockTimestamp() < t.boughtAt + 1 days) activate(open[i]);
        }
    }

    function reportPeriod() private {
        lastReport = vm.getBlockTimestamp();
        for (uint256 i = 0; i < open.length; ++i) {
            Truth storage t = truths[open[i]];
            if (!monitorsSpeak) {
                t.silence = true;
                continue;
            }
            IMarket.Order memory o = market.getOrder(open[i]);
            bool runs = o.status == OrderStatus.Active || o.status == OrderStatus.Expired;
            // a month at most
            // forge-lint: disable-next-line(unsafe-typecast)
            if (runs || o.pendingUntil != 0) report(open[i], uint32(t.down));
        }
    }

    /// @dev Somebody makes every call that anyone may make for the buyer.
    function decide() private {
        // Backwards, because a decided order is replaced by the last one.
        for (uint256 i = open.length; i > 0; --i) {
            if (!isDecided(open[i - 1])) continue;
            open[i - 1] = open[open.length - 1];
            open.pop();
        }
    }

    function isDecided(uint64 id) private returns (bool) {
        Truth storage t = truths[id];
        IMarket.Order memory o = market.getOrder(id);
        bool lost = o.downSince != 0 && o.reportedUntil - o.downSince >= 24 hours;
        lost = lost && vm.getBlockTimestamp() < o.reportedUntil + 14 hours;
        if (o.status == OrderStatus.Created && vm.getBlockTimestamp() >= t.boughtAt + 24 hours) market.release(id);
        else if (o.status == OrderStatus.Active && lost) market.closeForDowntime(id);
        else if (o.status == OrderStatus.Expired && vm.getBlockTimestamp() >= t.endedAt + 24 hours) market.proSettle(id);
        else if (o.pendingUntil != 0 && vm.getBlockTimestamp() >= o.pendingUntil) market.proSettle(id);
        else if (o.remain != 0) return false;
        // Once more, for orders that were already paid.
        try market.proSettle(id) { } catch { }
        o = market.getOrder(id);
        if (o.remain != 0) return false;
        if (t.endedAt == 0) (t.endedAt, t.dropped) = (vm.getBlockTimestamp(), true);
        if (o.status == OrderStatus.ProviderCancelled) t.dropped = true;
        t.decided = true;
        return true;
    }

    /// @dev A live order, or none. A node is sold again only once its last order has ended.
    function liveOrder(uint256 seed) internal view returns (uint64 id, IMarket.Order memory o) {
        for (uint256 i = 0; i < NODES; ++i) {
            id = newestOf[1 + (seed + i) % NODES];
            if (id != 0 && truths[id].endedAt == 0) return (id, market.getOrder(id));
        }
        return (0, o);
    }

    /// @notice The provider's total: earnings, its pledge, and what it took back.
    function wealth() internal view returns (uint256) {
        return market.earned(provider) + pledge.pledgeOf(provider) + credit.balanceOf(provider);
    }

    /// @notice The price of that many seconds.
    function A(uint256 time) internal pure returns (uint256) {
        return PaymentOracle.value(RATE, time);
    }
}
