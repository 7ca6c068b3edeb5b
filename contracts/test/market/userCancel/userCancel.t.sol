// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Accrual } from "../../../src/libraries/Accrual.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { Base } from "../../Base.t.sol";

contract MarketUserCancelTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = buy(openShop(), MONTH);
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.userCancel(7);
    }

    function test_WhenTheCallerIsNotTheUser_ItRevertsWithNotUser() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotUser.selector, id, provider));
        vm.prank(provider);
        market.userCancel(id);
    }

    function test_WhenTheOrderIsClosed_ItRevertsWithWrongStatus() public {
        vm.startPrank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.UserCancelled));
        market.userCancel(id);
    }

    function test_WhenItsStartWasMissed_ItDoesWhatReleaseDoes() public {
        pass(24 hours - 1);
        uint256 snapshot = vm.snapshotState();
        vm.prank(user);
        market.userCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.UserCancelled));
        assertEq(pledge.pledgeOf(provider), 1000 * USD);
        vm.revertToState(snapshot);
        pass(1);
        snapshot = vm.snapshotState();
        market.release(id);
        (uint256 had, uint256 left) = (credit.balanceOf(user), pledge.pledgeOf(provider));
        bytes32 order = keccak256(abi.encode(market.getOrder(id)));
        vm.revertToState(snapshot);
        (uint256 quoted,,,,) = market.quoteCancel(id, false);
        uint256 before = credit.balanceOf(user);
        vm.prank(user);
        market.userCancel(id);
        assertEq(credit.balanceOf(user), had);
        assertEq(credit.balanceOf(user) - before, quoted);
        assertEq(pledge.pledgeOf(provider), left);
        assertEq(keccak256(abi.encode(market.getOrder(id))), order);
        assertEq(1000 * USD - left, 420 * USD / uint256(720), "an hour");
    }

    function test_WhenTheOrderIsCreated_ItReturnsEverything() public {
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(market));
        emit IMarket.OrderClosed(id, OrderStatus.UserCancelled, GENESIS, 420 * USD);
        vm.prank(user);
        market.userCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.UserCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD);
        assertEq(market.earned(provider), 0);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenInProbationAndNotDeployed_ItPaysTheSecondsHeldAtOnce() public {
        activate(id);
        pass(10 minutes - 1);
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(599) / MONTH;
        vm.prank(user);
        market.userCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProbationRefunded));
        assertEq(credit.balanceOf(user) - before, 420 * USD - due);
        assertEq(market.earned(provider), due);
        assertEq(market.getOrder(id).pendingUntil, 0);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenProbationHasJustPassed_ItPaysTheSecondsHeld() public {
        activate(id);
        pass(10 minutes);
        uint256 before = credit.balanceOf(user);
        cancelAndWait(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.UserCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD - 420 * USD * uint256(600) / MONTH);
    }

    function test_WhenMarkedDeployedInProbation_ItPaysTheSecondsUsed() public {
        activate(id);
        vm.prank(provider);
        registry.set_avail(provider, 1, true);
        pass(300);
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(300) / MONTH;
        cancelAndWait(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.UserCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD - due);
        assertEq(market.earned(provider), due);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenItWasDeployedAndCleaned_ItPaysTheSecondsUsed() public {
        vm.startPrank(provider);
        market.activateWithApp(id, "nginx");
        pass(300);
        registry.set_avail(provider, 1, false);
        vm.stopPrank();
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(300) / MONTH;
        cancelAndWait(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.UserCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD - due);
        assertEq(market.earned(provider), due);
    }

    function test_WhenConfirmed_ItPaysTheSecondsUsed() public {
        activate(id);
        vm.prank(user);
        market.userConfirm(id);
        pass(300);
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(300) / MONTH;
        cancelAndWait(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.UserCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD - due);
        assertEq(market.earned(provider), due);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenRunning_ItRefundsTheRestAndBooksNothingElse() public {
        activate(id);
        pass(10 days);
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(market));
        emit IMarket.PaymentPending(id, 140 * USD, GENESIS + 10 days + 24 hours);
        vm.expectEmit(address(market));
        emit IMarket.OrderClosed(id, OrderStatus.UserCancelled, GENESIS + 10 days, 280 * USD);
        vm.prank(user);
        market.userCancel(id);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.UserCancelled));
        assertEq(o.remain, 140 * USD);
        assertEq(o.pendingUntil, GENESIS + 10 days + 24 hours);
        assertEq(o.locked, 14 * USD);
        assertEq(credit.balanceOf(user) - before, 280 * USD);
        assertEq(market.earned(provider), 0);
        assertEq(market.escrow(), 140 * USD);
        assertEq(pledge.getPledge(provider).locked, 14 * USD);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenItIsSettledRightAfterwards_ItPaysUpToTheEdgeFreesThePromiseAndKeepsTheRestPending() public {
        activate(id);
        pass(10 days);
        vm.prank(user);
        market.userCancel(id);
        uint256 snapshot = vm.snapshotState();
        vm.expectEmit(address(market));
        emit IMarket.OrderSettled(id, GENESIS + 9 days, 126 * USD, 0);
        vm.expectEmit(address(market));
        emit IMarket.PaymentPending(id, 14 * USD, GENESIS + 10 days + 24 hours);
        vm.prank(stranger);
        market.proSettle(id);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(o.remain, 14 * USD);
        assertEq(o.locked, 0);
        assertEq(market.earned(provider), 126 * USD);
        assertEq(market.escrow(), 14 * USD);
        assertEq(pledge.getPledge(provider).locked, 0);
        // Later it does the same.
        vm.revertToState(snapshot);
        pass(24 hours - 1);
        market.proSettle(id);
        assertEq(abi.encode(market.getOrder(id)), abi.encode(o));
        assertEq(pledge.getPledge(provider).locked, 0);
    }

    function test_WhenAReportCameBefore_ItBooksEverythingAtOnce() public {
        activate(id);
        pass(10 days);
        report(id, 0);
        pass(1 hours);
        vm.prank(user);
        market.userCancel(id);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(o.remuneration, 140 * USD);
        assertEq(o.remain, Accrual.accrued(420 * USD, 10 days + 1 hours) - 140 * USD);
        assertEq(o.locked, 0);
        assertEq(market.earned(provider), 140 * USD);
        assertEq(pledge.getPledge(provider).locked, 0);
    }

    function test_WhenNoReportComesInADay_ItPaysTheRest() public {
        activate(id);
        pass(10 days);
        vm.prank(user);
        market.userCancel(id);
        pass(24 hours - 1);
        market.proSettle(id);
        assertEq(market.earned(provider), 126 * USD);
        pass(1);
        vm.expectEmit(address(market));
        emit IMarket.OrderSettled(id, GENESIS + 10 days, 14 * USD, 0);
        vm.expectEmit(address(market));
        emit IMarket.PendingSettled(id, 0);
        market.proSettle(id);
        assertEq(market.earned(provider), 140 * USD);
        assertEq(market.escrow(), 0);
        assertEq(market.getOrder(id).pendingUntil, 0);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.UserCancelled));
        market.proSettle(id);
    }

    function test_WhenAReportSpeaksOfTheCancel_ItPaysWhatWasServedAndReturnsTheRest() public {
        activate(id);
        pass(10 days);
        uint256 before = credit.balanceOf(user);
        vm.prank(user);
        market.userCancel(id);
        pass(1 hours);
        vm.expectEmit(address(market));
        emit IMarket.PendingSettled(id, 3.5e18);
        report(id, 6 hours);
        assertEq(market.earned(provider), 136.5e18);
        assertEq(credit.balanceOf(user) - before, 283.5e18);
        assertEq(market.escrow(), 0);
    }

    function test_WhenTheNewestReportIsLaterThanTheEdge_ItPaysUpToTheReport() public {
        activate(id);
        pass(10 days);
        report(id, 2 hours);
        pass(1 hours);
        uint256 paid = 420 * USD * uint256(10 days - 2 hours) / MONTH;
        vm.prank(user);
        market.userCancel(id);
        assertEq(market.earned(provider), paid);
        assertEq(market.getOrder(id).remain, 420 * USD * uint256(10 days - 1 hours) / MONTH - paid);
    }

    function test_WhenTheProviderWasAwayForADay_ItClosesForDowntime() public {
        activate(id);
        pass(10 days);
        uint256 before = credit.balanceOf(user);
        report(id, 0);
        for (uint32 i = 1; i <= 3; ++i) {
            pass(8 hours);
            report(id, i * 8 hours);
        }
        vm.prank(user);
        market.userCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(credit.balanceOf(user) - before, 294 * USD, "the rest, and a day out of the pledge");
        assertEq(market.earned(provider), 140 * USD);
        assertEq(market.escrow(), 0);
    }

    function test_WhenPastTheEnd_ItCompletesPaysAllThatIsDueAndReturnsDowntime() public {
        activate(id);
        pass(MONTH);
        report(id, 7200);
        pass(1);
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(MONTH - 7200) / MONTH;
        vm.prank(user);
        market.userCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Completed));
        assertEq(credit.balanceOf(user) - before, 420 * USD - due);
        assertEq(market.earned(provider), due);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenExactlyAtTheEnd_ItCompletesAndPaysAll() public {
        activate(id);
        pass(MONTH);
        vm.prank(user);
        market.userCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Completed));
        assertEq(market.earned(provider), 420 * USD);
        assertEq(market.getOrder(id).pendingUntil, 0);
    }

    function test_WhenPausedAndDraining_ItStillWorks() public {
        activate(id);
        vm.prank(guardian);
        access.pause();
        IMarketWithLens old = market;
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        vm.prank(user);
        old.userCancel(id);
        assertEq(old.escrow(), 0);
    }
}
