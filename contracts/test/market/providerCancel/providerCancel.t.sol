// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { ALLOWED_PART, MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketProviderCancelTest is Base {
    /// @dev A(1 h) of an order of 420 USD a month, rounded down.
    uint256 private constant HOUR_PRICE = uint256(420e18) / 720;

    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = buy(openShop(), MONTH);
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.providerCancel(7);
    }

    function test_WhenTheCallerIsNotTheProvider_ItRevertsWithNotProvider() public {
        vm.prank(provider);
        registry.setOperator(operator);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotProvider.selector, id, operator));
        vm.prank(operator);
        market.providerCancel(id);
    }

    function test_WhenTheOrderIsClosed_ItRevertsWithWrongStatus() public {
        vm.startPrank(provider);
        market.providerCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProviderCancelled));
        market.providerCancel(id);
    }

    function test_WhenTheOrderIsPastItsEnd_ItRevertsWithOrderEnded() public {
        activate(id);
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderEnded.selector, id, GENESIS + MONTH));
        vm.prank(provider);
        market.providerCancel(id);
    }

    function test_WhenTheOrderIsCreated_ItReturnsEverythingAndThePriceOfAnHour() public {
        uint256 before = credit.balanceOf(user);
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD + HOUR_PRICE);
        assertEq(market.earned(provider), 0);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenInProbation_ItPaysTheSecondsHeldAndThePriceOfAnHour() public {
        activate(id);
        pass(10 minutes - 1);
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(599) / MONTH;
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD - due + HOUR_PRICE);
        assertEq(market.earned(provider), due);
        assertEq(market.getOrder(id).pendingUntil, 0);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenItWasDeployedInProbation_ItPaysThePenalty() public {
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
        uint256 before = credit.balanceOf(user);
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(credit.balanceOf(user) - before, 434 * USD);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
    }

    function test_WhenRunning_ItPaysTheBuyerOutOfThePledgeAndKeepsPendingWhatNoReportHasSeen() public {
        activate(id);
        pass(10 days);
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(market));
        emit IMarket.PaymentPending(id, 14 * USD, GENESIS + 11 days);
        vm.expectEmit(address(market));
        emit IMarket.BuyerCompensated(id, 14 * USD);
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(credit.balanceOf(user) - before, 294 * USD);
        assertEq(market.earned(provider), 126 * USD);
        assertEq(market.getOrder(id).remain, 14 * USD);
        assertEq(market.escrow(), 14 * USD);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenReportsSpeakOfALaterTimeThanIsFinal_ItPaysTheProviderUpToThem() public {
        activate(id);
        pass(10 days);
        report(id, 0);
        pass(6 hours);
        drop();
        assertEq(market.earned(provider), 140 * USD);
        assertEq(market.getOrder(id).remain, 3.5e18);
    }

    function test_WhenAReportOfTheLastHoursFollows_ItTakesThemBack() public {
        activate(id);
        pass(10 days);
        uint256 before = credit.balanceOf(user);
        drop();
        pass(14 hours);
        report(id, 20 hours);
        uint256 served = 420 * USD * (10 days - 20 hours) / MONTH;
        assertEq(market.earned(provider), served);
        assertEq(credit.balanceOf(user) - before, 434 * USD - served);
        assertEq(market.getOrder(id).pendingUntil, 0);
        assertEq(market.escrow(), 0);
    }

    function test_WhenNoReportFollowsForADay_ItPaysTheProviderUpToTheCancel() public {
        activate(id);
        pass(10 days);
        drop();
        pass(24 hours - 1);
        market.proSettle(id);
        assertEq(market.earned(provider), 126 * USD, "a report may still come");
        pass(1);
        market.proSettle(id);
        assertEq(market.earned(provider), 140 * USD);
        assertEq(market.escrow(), 0);
    }

    function test_WhenThePenaltyIsZero_ItPaysUpToNowAndCompensatesNobody() public {
        vm.startPrank(owner);
        market.setHoldback(0);
        market.setPenalty(0);
        vm.stopPrank();
        uint64 other = buy(addNode(provider), MONTH);
        activate(other);
        pass(10 days);
        vm.prank(provider);
        market.providerCancel(other);
        assertEq(market.earned(provider), 140 * USD);
        assertEq(pledge.pledgeOf(provider), 1000 * USD);
    }

    /// @dev With the maximum penalty, of which downtime has used up only a part.
    function test_WhenMoreThanHalfAWeekOfDowntimeIsCredited_ItOwesNothing() public {
        vm.prank(owner);
        market.setPenalty(168 hours);
        id = buy(addNode(provider), MONTH);
        beDown(84 hours + 1);
        drop();
        IMarket.Order memory o = market.getOrder(id);
        uint256 twice = 84 hours + 1 - (o.reportedUntil - o.activateTime) / ALLOWED_PART;
        assertApproxEqAbs(1000 * USD - pledge.pledgeOf(provider), 420 * USD * twice / MONTH, 10, "what downtime cost it, and no more");
        assertLt(market.getOrder(id).remuneration, 0.01e18, "ten seconds");
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled), "in its record");
    }

    /// @dev With the maximum penalty, of which downtime has used up only a part.
    function test_WhenHalfAWeekOfDowntimeIsCredited_ItPaysWhatIsLeftOfThePenalty() public {
        vm.prank(owner);
        market.setPenalty(168 hours);
        id = buy(addNode(provider), MONTH);
        beDown(84 hours);
        drop();
        assertEq(pledge.pledgeOf(provider), 902 * USD, "a week of 420 a month");
    }

    /// @dev With the maximum penalty, of which downtime has used up only a part.
    function test_WhenItWasAwayForADay_ItIsAsIfItHadCancelledWhenItWent() public {
        vm.prank(owner);
        market.setPenalty(168 hours);
        id = buy(addNode(provider), MONTH);
        activate(id);
        pass(10 days);
        report(id, 0);
        for (uint32 i = 1; i <= 12; ++i) {
            pass(8 hours);
            report(id, i * 8 hours);
        }
        (uint256 before, uint256 pledged) = (credit.balanceOf(user), pledge.pledgeOf(provider));
        assertGt(pledged, 902 * USD, "its downtime has not used up the penalty");
        drop();
        assertEq(market.earned(provider), 140 * USD);
        assertEq(pledge.pledgeOf(provider), 902 * USD, "four days of downtime are no excuse for being away");
        assertEq(credit.balanceOf(user) - before, 280 * USD + pledged - 902 * USD);
    }

    function drop() private {
        vm.prank(provider);
        market.providerCancel(id);
    }

    /// @notice The order is down for `time`, except for one second every 12 h, credited within every holdback.
    function beDown(uint32 time) internal {
        activate(id);
        pass(1);
        for (uint32 down = 0; down < time;) {
            uint32 step = time - down < 12 hours ? time - down : 12 hours;
            down += step;
            pass(step + 1);
            report(id, down);
        }
        assertEq(market.getOrder(id).down, time);
    }
}
