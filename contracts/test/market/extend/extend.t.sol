// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MAX_DURATION, MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketExtendTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenTheMarketDrains_ItRevertsWithDraining() public {
        address old = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        vm.expectRevert(abi.encodeWithSelector(IMarket.Draining.selector, address(market)));
        vm.prank(user);
        IMarket(old).extend(id, MONTH);
    }

    function test_WhenEntriesArePaused_ItRevertsWithEntriesPaused() public {
        vm.prank(guardian);
        access.pause();
        vm.expectRevert(IMarket.EntriesPaused.selector);
        vm.prank(user);
        market.extend(id, MONTH);
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.extend(7, MONTH);
    }

    function test_WhenTheOrderIsNotActive_ItRevertsWithWrongStatus() public {
        vm.startPrank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.extend(id, MONTH);
    }

    function test_WhenTheOrderHasEnded_ItRevertsWithOrderEnded() public {
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderEnded.selector, id, GENESIS + MONTH));
        vm.prank(user);
        market.extend(id, MONTH);
    }

    function test_WhenTheNodeIsOffline_ItRevertsWithNodeOffline() public {
        vm.prank(provider);
        registry.setOnline(provider, 1, false);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NodeOffline.selector, provider, uint64(1)));
        vm.prank(user);
        market.extend(id, MONTH);
    }

    function test_WhenItIsForLessThanAnHour_ItRevertsWithDurationOutOfBounds() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, 3599, 1 hours, MAX_DURATION - MONTH));
        vm.prank(user);
        market.extend(id, 3599);
    }

    function test_WhenMoreThan120MonthsWouldLieAhead_ItRevertsWithDurationOutOfBounds() public {
        vm.expectRevert(
            abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, MAX_DURATION - MONTH + 1, 1 hours, MAX_DURATION - MONTH)
        );
        vm.prank(user);
        market.extend(id, MAX_DURATION - MONTH + 1);
    }

    function test_WhenItWouldEarnMoreThanAnOrderCanHold_ItRevertsWithSafeCastOverflowedUintDowncast() public {
        uint256 rate = (uint256(1) << 88) - 1;
        IRegistry.NodeInput memory input = nodeInput();
        (input.nCPU, input.pCPU, input.nGPU, input.nMEM, input.nDISK) = (1, rate - rate % 1e9, 0, 0, 0);
        vm.prank(provider);
        uint64 nodeId = registry.add_node(input);
        fund(user, 1 << 97);
        fund(provider, 1 << 90);
        pledgeFor(provider, 1 << 90);
        uint64 dear = buy(nodeId, 120 * MONTH);
        activate(dear);
        pass(119 * MONTH);
        vm.startPrank(user);
        credit.approve(address(market), type(uint256).max);
        market.extend(dear, 119 * MONTH);
        pass(119 * MONTH);
        vm.expectPartialRevert(SafeCast.SafeCastOverflowedUintDowncast.selector);
        market.extend(dear, 119 * MONTH);
        pass(2 * MONTH);
        market.proSettle(dear);
        assertEq(market.earned(provider), market.getOrder(dear).totalValue, "and all of it can be paid");
    }

    function test_WhenAllIsWell_ItTakesTheDifferenceConfirmsAndMovesTheEnd() public {
        uint256 before = credit.balanceOf(user);
        assertEq(market.fee(id, 2 * MONTH), 840 * USD);
        vm.startPrank(user);
        credit.approve(address(market), 840 * USD);
        vm.expectEmit(address(market));
        emit IMarket.OrderExtended(id, user, 3 * MONTH, 840 * USD);
        market.extend(id, 2 * MONTH);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(before - credit.balanceOf(user), 840 * USD);
        assertEq(o.totalValue, 1260 * USD);
        assertEq(o.duration, 3 * MONTH);
        assertEq(market.escrow(), 1260 * USD);
        assertTrue(o.userConfirm);
    }

    function test_WhenTheNodeIsSoldForLongerOnly_ItStillTakesAnHour() public {
        vm.prank(provider);
        registry.setMinTerm(provider, 1, 3 * MONTH);
        vm.startPrank(user);
        credit.approve(address(market), USD);
        market.extend(id, 1 hours);
        assertEq(market.getOrder(id).totalValue, 420 * USD * uint256(MONTH + 1 hours) / MONTH);
    }

    function test_WhenSomebodyElsePays_ItMovesTheEndAndTheProbationStaysTheUsers() public {
        uint256 before = credit.balanceOf(user);
        vm.startPrank(stranger);
        credit.approve(address(market), 420 * USD);
        vm.expectEmit(address(market));
        emit IMarket.OrderExtended(id, stranger, 2 * MONTH, 420 * USD);
        market.extend(id, MONTH);
        vm.stopPrank();
        assertEq(credit.balanceOf(stranger), 1_000_000 * USD - 420 * USD);
        assertEq(market.getOrder(id).duration, 2 * MONTH);
        assertFalse(market.getOrder(id).userConfirm, "nobody else ends the probation of a buyer");

        vm.prank(user);
        market.userCancel(id);
        assertEq(credit.balanceOf(user) - before, 840 * USD, "what somebody else paid is the user's");
    }

    function testFuzz_WhenItIsExtendedInAnySteps_ItCostsInSumWhatOneOrderCosts(uint32 a, uint32 b) public {
        a = uint32(bound(a, 1 hours, 50 * MONTH));
        b = uint32(bound(b, 1 hours, 50 * MONTH));
        vm.startPrank(user);
        credit.approve(address(market), type(uint256).max);
        market.extend(id, a);
        market.extend(id, b);
        assertEq(market.getOrder(id).totalValue, 420 * USD * (uint256(MONTH) + a + b) / MONTH);
    }
}
