// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketMoveTest is Base {
    uint64 internal id;
    IMarketWithLens internal old;

    function setUp() public override {
        super.setUp();
        id = running();
        old = market;
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        publishNext();
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        old.move(7, agreed(initialParams()));
    }

    function test_WhenTheCallerIsNotTheUser_ItRevertsWithNotUser() public {
        publishNext();
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotUser.selector, id, provider));
        vm.prank(provider);
        old.move(id, agreed(initialParams()));
    }

    function test_WhenThisMarketIsTheCurrentOne_ItRevertsWithNowhereToMove() public {
        vm.expectRevert(IMarket.NowhereToMove.selector);
        vm.prank(user);
        market.move(id, agreed(initialParams()));
    }

    function test_WhenTheOrderDoesNotRun_ItRevertsWithWrongStatus() public {
        uint64 waiting = buy(addNode(provider), MONTH);
        publishNext();
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, waiting, OrderStatus.Created));
        vm.prank(user);
        old.move(waiting, agreed(initialParams()));
    }

    function test_WhenItIsInProbation_ItRevertsWithWrongStatus() public {
        publishNext();
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        vm.prank(user);
        old.move(id, agreed(initialParams()));
    }

    function test_WhenItIsPastItsEnd_ItRevertsWithOrderEnded() public {
        publishNext();
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderEnded.selector, id, GENESIS + MONTH));
        vm.prank(user);
        old.move(id, agreed(initialParams()));
    }

    function test_WhenTheConditionsThereAreOthers_ItRevertsWithConditionsChanged() public {
        publishNext();
        pass(1 days);
        vm.prank(owner);
        market.setCommissionBps(1);
        IMarket.Conditions memory have = agreed(market.params());
        vm.expectRevert(abi.encodeWithSelector(IMarket.ConditionsChanged.selector, have));
        vm.prank(user);
        old.move(id, agreed(initialParams()));
    }

    function test_WhenItRuns_ItCarriesTheRestOnInTheCurrentMarket() public {
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
        pass(10 days);
        report(id, 3600);
        publishNext();
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(market));
        emit IMarket.OrderMoved(id, 1000);
        vm.prank(user);
        assertEq(old.move(id, agreed(initialParams())), 1000);

        IMarket.Order memory o = market.getOrder(1000);
        assertEq(o.user, user);
        assertEq(o.provider, provider);
        assertEq(uint8(o.status), uint8(OrderStatus.Active));
        assertEq(o.activateTime, GENESIS + 10 days);
        assertEq(o.duration, 20 days);
        assertEq(o.totalValue, 280 * USD);
        assertTrue(o.deployed);
        assertTrue(o.userConfirm);
        assertEq(registry.get_node(provider, 1).orderId, 1000);
        assertTrue(registry.get_node(provider, 1).avail, "what runs goes on");
        assertEq(credit.balanceOf(user) - before, 420 * USD * uint256(3600) / MONTH + 1, "an hour of downtime comes back");
        assertEq(old.earned(provider), 140 * USD - 420 * USD * uint256(3600) / MONTH - 1);
        assertEq(old.escrow(), 0);
        assertEq(market.escrow(), 280 * USD);
        assertEq(credit.allowance(address(old), address(market)), 0);
        assertEq(pledge.getPledge(provider).locked, 14 * USD, "one promise, not two");
        assertEq(pledge.lockedBy(address(old)), 0);
    }

    function test_WhenPartOfThePaymentWaitsForReports_ItWaitsInTheMarketThatItLeft() public {
        pass(10 days);
        publishNext();
        uint256 before = credit.balanceOf(user);
        vm.prank(user);
        uint64 newId = old.move(id, agreed(initialParams()));
        assertEq(old.escrow(), 14 * USD, "the last day");
        assertEq(market.getOrder(newId).totalValue, 280 * USD);
        assertEq(credit.balanceOf(user), before);
        report(old, id, 6 hours);
        assertEq(credit.balanceOf(user) - before, 3.5e18);
        assertEq(old.escrow(), 0);
    }

    function publishNext() internal {
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
    }

    function report(IMarketWithLens of_, uint64 order, uint32 total) internal {
        uint40 asOf = uint40(vm.getBlockTimestamp());
        bytes32 structHash =
            keccak256(abi.encode(keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)"), order, total, asOf));
        of_.creditDowntime(order, total, asOf, signFor(of_, validatorKey, structHash));
    }
}
