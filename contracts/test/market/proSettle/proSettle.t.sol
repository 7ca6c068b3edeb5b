// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketProSettleTest is Base {
    uint64 internal id;
    uint64 internal discounted;

    function setUp() public override {
        super.setUp();
        id = running();
        vm.prank(owner);
        market.setCommissionBps(250);
        discounted = buy(addNode(provider), MONTH);
        activate(discounted);
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.proSettle(7);
    }

    function test_WhenTheOrderIsNotActive_ItRevertsWithWrongStatus() public {
        vm.prank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.proSettle(id);
    }

    function test_WhenInProbation_ItBooksWhatIsFinal() public {
        vm.prank(owner);
        market.setHoldback(0);
        uint64 fresh = buy(addNode(provider), MONTH);
        activate(fresh);
        pass(5 minutes);
        market.proSettle(fresh);
        assertEq(market.getOrder(fresh).remuneration, 420 * USD * uint256(5 minutes) / MONTH);
    }

    function test_WhenAllIsWithinTheHoldback_ItDoesNothing() public {
        pass(24 hours);
        vm.recordLogs();
        market.proSettle(id);
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(market.getOrder(id).lastSettleTime, GENESIS);
    }

    function test_WhenTimeLiesBeforeTheHoldback_ItBooksWhatIsFinalAndTakesTheCommission() public {
        vm.expectEmit(address(market));
        emit IMarket.OrderSettled(discounted, GENESIS + 9 days, 126 * USD, 3.15e18);
        pass(10 days);
        vm.prank(stranger);
        market.proSettle(discounted);
        IMarket.Order memory o = market.getOrder(discounted);
        assertEq(o.remuneration, 126 * USD);
        assertEq(o.remain, 294 * USD);
        assertEq(o.lastSettleTime, GENESIS + 9 days);
        assertEq(market.earned(provider), 122.85e18);
        assertEq(market.commission(), 3.15e18);
        assertEq(market.escrow(), 714 * USD);
    }

    function test_WhenItIsSettledAgainInTheSameSecond_ItDoesNothing() public {
        pass(10 days);
        market.proSettle(id);
        vm.recordLogs();
        market.proSettle(id);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenTheOrderIsPastItsEnd_ItLetsTheNodeGoAndKeepsTheWindow() public {
        pass(MONTH);
        market.proSettle(id);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.Expired));
        assertEq(o.remain, 14 * USD);
        assertEq(registry.get_node(provider, 1).orderId, 0);
        market.proSettle(id);
    }

    function test_WhenTheHoldbackAfterTheEndIsOver_ItCompletesAndReturnsUnpaidDowntime() public {
        pass(20 days);
        market.creditDowntime(id, 3600, GENESIS + 20 days, signDowntime(id, 3600, GENESIS + 20 days));
        pass(11 days);
        uint256 before = credit.balanceOf(user);
        uint256 refund = 420 * USD - (420 * USD * uint256(MONTH - 3600)) / MONTH;
        vm.expectEmit(address(market));
        emit IMarket.OrderClosed(id, OrderStatus.Completed, GENESIS + 31 days, refund);
        market.proSettle(id);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.Completed));
        assertEq(o.remain, 0);
        assertEq(credit.balanceOf(user) - before, refund);
        assertEq(o.remuneration + refund, o.totalValue);
        assertEq(registry.get_node(provider, 1).orderId, 0);
    }

    function testFuzz_WhenItIsSettledAtAnyTimes_ItPaysWhatOneSettlementPays(uint32 a, uint32 b) public {
        a = uint32(bound(a, 1 hours, MONTH));
        b = uint32(bound(b, a, MONTH));
        pass(a);
        market.proSettle(discounted);
        pass(b - a);
        market.proSettle(discounted);
        market.proSettle(id);
        IMarket.Order memory split = market.getOrder(discounted);
        assertEq(split.remuneration, market.getOrder(id).remuneration);
        assertEq(market.commission(), split.remuneration * 250 / 10_000);
    }
}
