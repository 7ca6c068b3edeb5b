// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Campaign } from "./Campaign.sol";

/// @notice Coverage of a campaign: no invariant protects what no run ever reaches.
contract ReachTest is Campaign {
    uint256 private constant CALLS = 2000;

    mapping(OrderStatus => uint256) internal reached;
    uint256 internal orders;
    uint256 internal extended;
    uint256 internal withDowntime;
    uint256 internal compensated;
    uint256 internal deployed;
    uint256 internal pending;

    function test_ACampaignReachesEveryStatusVersionAndKindOfPayment() public {
        vm.pauseGasMetering(); // a campaign in one test needs more than a test's gas
        for (uint256 i = 0; i < CALLS; ++i) {
            call(uint256(keccak256(abi.encode("reach", i))));
        }
        for (uint256 m = 0; m < handler.marketCount(); ++m) {
            look(handler.markets(m));
        }
        assertEq(handler.marketCount(), 3, "versions");
        assertGt(orders, 50, "orders");
        assertGt(reached[OrderStatus.Completed], 0, "completed");
        assertGt(reached[OrderStatus.UserCancelled], 0, "cancelled by the user");
        assertGt(reached[OrderStatus.ProviderCancelled], 0, "cancelled by the provider");
        assertGt(reached[OrderStatus.ProbationRefunded], 0, "refunded in probation");
        assertGt(extended, 0, "extended");
        assertGt(withDowntime, 0, "downtime");
        assertGt(compensated, 0, "compensated from a pledge");
        assertGt(deployed, 0, "deployed");
        assertGt(pending, 0, "payments pending");
        assertGt(handler.lostOrders(), 0, "closed for downtime");
        assertGt(handler.pausedAt(), 0, "paused");
        assertTrue(
            handler.vouched(handler.users(0)) + handler.vouched(handler.users(1)) + handler.vouched(handler.users(2)) > 0, "vouchers"
        );
    }

    /// @notice Found with seed 20261123: a report corrects an absence, and its replay is paid what the correction made final.
    function test_AReplayAfterACorrectionPaysWhatBecameFinal() public {
        handler.createAndActivate(1, 0, 0);
        handler.passDays(4 days);
        handler.closeForDowntime(1);
        IMarket.Order memory away = market.getOrder(1);
        assertEq(away.down, 24 hours, "all that was not paid");
        handler.passDays(5 hours);
        handler.creditDowntime(1, 2 hours, 0);
        IMarket.Order memory o = market.getOrder(1);
        assertEq(o.down, 2 hours, "corrected");
        assertEq(o.remuneration - away.remuneration, o.rate * 3 hours / MONTH, "five hours more are final, and two of all are not paid");
    }

    /// @notice Too rare for a campaign as short as the one above: a running order without any report, dropped.
    function test_ADropLeavesPendingWhatNoReportHasSeen() public {
        handler.createAndActivate(1, 0, 0);
        handler.passDays(4 days);
        handler.providerCancel(3);
        assertEq(handler.pendingDrops(), 1);
        handler.creditDowntime(1, 2 hours, 0);
        IMarket.Order memory o = market.getOrder(1);
        assertEq(o.pendingUntil, 0, "decided by the report");
        assertEq(o.remuneration, o.rate * (4 days - 2 hours) / MONTH);
    }

    /// @notice As rare: an order dropped in its probation.
    function test_ADropInTheProbationIsPaidForTheSecondsHeld() public {
        handler.createAndActivate(1, 0, 0);
        handler.passSeconds(5 minutes);
        handler.providerCancel(3);
        IMarket.Order memory o = market.getOrder(1);
        assertEq(uint8(o.status), uint8(OrderStatus.ProviderCancelled));
        assertEq(o.remuneration, o.rate * 5 minutes / MONTH);
    }

    function look(IMarketWithLens m) internal {
        for (uint64 id = m.firstOrderId(); id <= m.lastId(); ++id) {
            IMarket.Order memory o = m.getOrder(id);
            ++orders;
            ++reached[o.status];
            if (o.down != 0) ++withDowntime;
            if (o.pendingUntil != 0) ++pending;
            if (o.deployed) ++deployed;
            if (o.totalValue > o.rate * 3) ++extended;
            if (replay.compensationOf(id) != 0) ++compensated;
        }
    }

    /// @dev The mix of a campaign: every function with the same probability.
    function call(uint256 r) internal {
        uint256 pick = (r >> 128) % 31;
        uint256 a = uint256(keccak256(abi.encode(r, 1)));
        uint256 b = uint256(keccak256(abi.encode(r, 2)));
        if (pick == 0) handler.passSeconds(a);
        else if (pick == 1) handler.passDays(a);
        else if (pick == 2) handler.pause(a);
        else if (pick == 3) handler.unpause();
        else if (pick == 4) handler.publish(a);
        else if (pick == 5) handler.retire(a);
        else if (pick == 6) handler.setParams(a);
        else if (pick == 7) handler.addNode(a);
        else if (pick == 8) handler.setOnline(a, b);
        else if (pick == 9) handler.setAvail(a, b, true);
        else if (pick == 10) handler.pledgeMore(a, b);
        else if (pick == 11) handler.createOrder(a, b, r);
        else if (pick < 14) handler.createAndActivate(a, b, r);
        else if (pick == 14) handler.extend(a, b);
        else if (pick == 15) handler.activate(a);
        else if (pick == 16) handler.proSettle(a);
        else if (pick == 17) handler.creditDowntime(a, type(uint32).max, r);
        else if (pick == 18) handler.release(a);
        else if (pick == 19 || pick == 26) handler.userCancel(a);
        else if (pick == 20) handler.providerCancel(a);
        else if (pick == 21) handler.fundRewards(a, b);
        else if (pick == 22) handler.voucher(a, b);
        else if (pick == 23) handler.activateWithApp(a);
        else if (pick < 26) handler.closeForDowntime(a);
        else if (pick == 27) handler.updateNode(a, b);
        else if (pick == 28) handler.forge(a, b);
        else if (pick == 29) handler.updateProvider(a);
        else handler.permit(a);
    }
}
