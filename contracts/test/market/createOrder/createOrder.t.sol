// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MAX_DURATION, MIN_PLEDGE, MONTH, START } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { Base } from "../../Base.t.sol";

contract MarketCreateOrderTest is Base {
    uint64 internal nodeId;

    function setUp() public override {
        super.setUp();
        nodeId = openShop();
    }

    function test_WhenTheMarketDrains_ItRevertsWithDraining() public {
        IMarketWithLens next = newMarket(1000);
        address old = address(market);
        market = next;
        vm.prank(owner);
        access.publish(currentSet());
        vm.expectRevert(abi.encodeWithSelector(IMarket.Draining.selector, address(next)));
        vm.prank(user);
        IMarket(old).createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenEntriesArePaused_ItRevertsWithEntriesPaused() public {
        vm.prank(guardian);
        access.pause();
        vm.expectRevert(IMarket.EntriesPaused.selector);
        vm.prank(user);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenTheAppNameIsLongerThan31Bytes_ItRevertsWithAppTooLong() public {
        IMarket.OrderInput memory input = orderInput(nodeId, MONTH);
        input.app = "an application with a name of 32";
        vm.expectRevert(abi.encodeWithSelector(IMarket.AppTooLong.selector, 32, 31));
        vm.prank(user);
        market.createOrder(input);
    }

    function test_WhenTheDurationIsShorterThanAnHour_ItRevertsWithDurationOutOfBounds() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, 3599, 1 hours, MAX_DURATION));
        vm.prank(user);
        market.createOrder(orderInput(nodeId, 3599));
    }

    function test_WhenItIsShorterThanTheShortestTermOfTheNode_ItRevertsWithDurationOutOfBounds() public {
        vm.prank(provider);
        registry.setMinTerm(provider, nodeId, 2 days);
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, 2 days - 1, 2 days, MAX_DURATION));
        vm.prank(user);
        market.createOrder(orderInput(nodeId, 2 days - 1));
    }

    function test_WhenItLastsAnHour_ItIsPaidByTheSecondAndEndsAfterIt() public {
        uint64 id = buy(nodeId, 1 hours);
        assertEq(market.getOrder(id).totalValue, 420 * USD / uint256(720));
        activate(id);
        pass(1 hours);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Expired));
        market.release(id);
        pass(24 hours);
        market.proSettle(id);
        assertEq(market.earned(provider), 420 * USD / uint256(720));
        assertEq(market.escrow(), 0);
    }

    function test_WhenTheDurationIsLongerThan120Months_ItRevertsWithDurationOutOfBounds() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, MAX_DURATION + 1, 1 hours, MAX_DURATION));
        vm.prank(user);
        market.createOrder(orderInput(nodeId, MAX_DURATION + 1));
    }

    function test_WhenTheBuyerIsTheProvider_ItRevertsWithOwnNode() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OwnNode.selector, provider));
        vm.prank(provider);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenTheProviderHasNoPledge_ItRevertsWithPledgeTooLow() public {
        registerProvider(stranger);
        IMarket.OrderInput memory input = orderInput(addNode(stranger), MONTH);
        input.provider = stranger;
        vm.expectRevert(abi.encodeWithSelector(IPledge.PledgeTooLow.selector, 0, MIN_PLEDGE));
        vm.prank(user);
        market.createOrder(input);
    }

    function test_WhenThePledgeBehindItIsLockedBehindOthers_ItRevertsWithFreePledgeTooLow() public {
        vm.prank(provider);
        pledge.unpledge(address(credit), 980 * USD);
        buy(nodeId, MONTH);
        uint64 second = addNode(provider);
        vm.expectRevert(abi.encodeWithSelector(IPledge.FreePledgeTooLow.selector, 14 * USD, 6 * USD));
        vm.prank(user);
        market.createOrder(orderInput(second, MONTH));
    }

    function test_WhenTheRevisionIsZero_ItRevertsWithStaleNodeAndReservesNothing() public {
        IMarket.OrderInput memory input = orderInput(nodeId, MONTH);
        input.rev = 0;
        vm.expectRevert(abi.encodeWithSelector(IMarket.StaleNode.selector, 0, 1));
        vm.prank(user);
        market.createOrder(input);
        assertFalse(registry.get_node(provider, nodeId).sold);
    }

    function test_WhenTheNodeChangedAfterTheQuote_ItRevertsWithStaleNode() public {
        vm.prank(provider);
        registry.updatenode(nodeId, nodeInput());
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StaleNode.selector, 1, 2));
        vm.prank(user);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenTheFeeIsAboveMaxFee_ItRevertsWithFeeTooHigh() public {
        IMarket.OrderInput memory input = orderInput(nodeId, MONTH);
        input.maxFee = 420 * USD - 1;
        vm.expectRevert(abi.encodeWithSelector(IMarket.FeeTooHigh.selector, 420 * USD, 420 * USD - 1));
        vm.prank(user);
        market.createOrder(input);
    }

    function test_WhenTheConditionsChangedAfterTheQuote_ItRevertsWithConditionsChanged() public {
        (,, IMarket.Conditions memory seen) = market.quoteOrder(provider, nodeId, MONTH);
        IMarket.OrderInput memory input = orderInput(nodeId, MONTH);
        assertEq(abi.encode(seen), abi.encode(input.conditions));
        for (uint256 i = 0; i < 4; ++i) {
            uint256 state = vm.snapshotState();
            vm.startPrank(owner);
            if (i == 0) market.setProbation(0);
            else if (i == 1) market.setHoldback(0);
            else if (i == 2) market.setPenalty(25 hours);
            else market.setCommissionBps(1);
            vm.stopPrank();
            (,, IMarket.Conditions memory have) = market.quoteOrder(provider, nodeId, MONTH);
            vm.expectRevert(abi.encodeWithSelector(IMarket.ConditionsChanged.selector, have));
            vm.prank(user);
            market.createOrder(input);
            vm.revertToState(state);
        }
        buy(input);
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(user);
        market.createOrder(orderInput(9, MONTH));
    }

    function test_WhenTheNodeIsOffline_ItRevertsWithNodeOffline() public {
        vm.prank(provider);
        registry.setOnline(provider, nodeId, false);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeOffline.selector, provider, nodeId));
        vm.prank(user);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenAnotherOrderHoldsTheNode_ItRevertsWithNodeSold() public {
        uint64 holder = buy(nodeId, MONTH);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeSold.selector, provider, nodeId, holder));
        vm.prank(stranger);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenTheBuyerHasNotApprovedTheFee_ItRevertsWithTheErrorOfCredit() public {
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(user);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenTheBuyerLacksTheMoney_ItRevertsWithTheErrorOfCredit() public {
        vm.startPrank(operator);
        credit.approve(address(market), type(uint256).max);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        market.createOrder(orderInput(nodeId, MONTH));
    }

    function test_WhenTheHolderWasNotActivatedInTime_ItRefundsTheHolderAndSellsTheNode() public {
        uint64 first = buy(nodeId, MONTH);
        uint256 before = credit.balanceOf(user);
        pass(START);
        vm.startPrank(stranger);
        credit.approve(address(market), 420 * USD);
        uint64 second = market.createOrder(orderInput(nodeId, MONTH));
        assertEq(uint8(market.getOrder(first).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(credit.balanceOf(user) - before, 420 * USD + uint256(420 * USD) / 720, "and the price of an hour");
        assertEq(registry.get_node(provider, nodeId).orderId, second);
    }

    function test_WhenTheHolderIsPastItsEnd_ItSellsTheNodeAndLeavesTheMoneyOfTheHolder() public {
        uint64 first = buy(nodeId, MONTH);
        activate(first);
        pass(MONTH);
        vm.startPrank(stranger);
        credit.approve(address(market), 420 * USD);
        uint64 second = market.createOrder(orderInput(nodeId, MONTH));
        assertEq(uint8(market.getOrder(first).status), uint8(OrderStatus.Expired));
        assertEq(market.getOrder(first).remain, 420 * USD);
        assertEq(registry.get_node(provider, nodeId).orderId, second);
    }

    function test_WhenTheHolderBelongsToADrainingMarket_ItReleasesTheHolderThereAndSellsTheNode() public {
        uint64 first = buy(nodeId, MONTH);
        pass(START);
        IMarketWithLens old = market;
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        uint64 second = buy(nodeId, MONTH);
        assertEq(uint8(old.getOrder(first).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(second, 1000);
        assertEq(registry.get_node(provider, nodeId).orderId, second);
    }

    function test_WhenAllIsWell_ItTakesTheFeeReservesTheNodeAndKeepsEveryParameter() public {
        vm.prank(owner);
        market.setCommissionBps(250);
        uint256 before = credit.balanceOf(user);
        IMarket.Conditions memory conditions = IMarket.Conditions({ probation: 600, holdback: 86400, penalty: 86400, commissionBps: 250 });
        vm.startPrank(user);
        credit.approve(address(market), 1260 * USD);
        vm.expectEmit(address(registry));
        emit IRegistry.NodeSoldSet(provider, nodeId, 1, true);
        vm.expectEmit(address(market));
        emit IMarket.OrderCreated(1, user, provider, nodeId, 1, 3 * MONTH, 1260 * USD, 420 * USD, conditions, "nginx");
        IMarket.OrderInput memory input = orderInput(nodeId, 3 * MONTH);
        input.conditions = conditions;
        uint64 id = market.createOrder(input);
        vm.stopPrank();

        IMarket.Order memory o = market.getOrder(id);
        assertEq(before - credit.balanceOf(user), 1260 * USD);
        assertEq(market.escrow(), 1260 * USD);
        assertEq(market.lastId(), id);
        assertEq(o.id, 1);
        assertEq(o.user, user);
        assertEq(o.provider, provider);
        assertEq(o.nodeId, nodeId);
        assertEq(o.totalValue, 1260 * USD);
        assertEq(o.remain, 1260 * USD);
        assertEq(o.remuneration, 0);
        assertEq(o.rate, 420 * USD);
        assertEq(o.activateTime, 0);
        assertEq(o.lastSettleTime, GENESIS);
        assertEq(o.duration, 3 * MONTH);
        assertEq(o.down, 0);
        assertEq(o.probation, 600);
        assertEq(o.holdback, 86400);
        assertEq(o.penalty, 86400);
        assertEq(o.commissionBps, 250);
        assertEq(uint8(o.status), uint8(OrderStatus.Created));
        assertFalse(o.userConfirm);
        assertFalse(o.providerConfirm);
        assertEq(o.nCPU, 2);
        assertEq(o.nGPU, 2);
        assertEq(o.nMEM, 128);
        assertEq(o.nDISK, 2000);
        assertEq(o.pCPU, 43 * USD);
        assertEq(o.pGPU, 133 * USD);
        assertEq(o.pMEM, 0.5e18);
        assertEq(o.pDISK, 0.002e18);
    }

    function test_WhenNoAppIsNamed_ItSellsTheNodeAllTheSame() public {
        IMarket.OrderInput memory input = orderInput(nodeId, MONTH);
        input.app = "";
        uint64 id = buy(input);
        assertEq(registry.get_node(provider, nodeId).orderId, id);
    }

    function testFuzz_WhenItLastsAnyTime_ItCostsWhatFeeOrderSaid(uint32 duration) public {
        duration = uint32(bound(duration, 1 hours, MAX_DURATION));
        (uint256 fee,) = market.feeOrder(provider, nodeId, duration);
        assertEq(market.getOrder(buy(nodeId, duration)).totalValue, fee);
        assertEq(fee, 420 * USD * uint256(duration) / MONTH);
    }
}
