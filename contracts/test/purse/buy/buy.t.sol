// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { RIGHT_BUY, RIGHT_END } from "../../../src/types/Rights.sol";
import { PurseBase } from "../PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract BuyTest is PurseBase {
    uint96 private constant PER_GPU_HOUR = uint96(RATE / 720 / 2);

    function test_WhenTheCallerHasNoGrant_ItRevertsWithKeyNotValid() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, stranger));
        buyFor(stranger);
    }

    function test_WhenTheKeyHasExpired_ItRevertsWithKeyNotValid() public {
        pass(10_000 days + 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, key));
        buyFor(key);
    }

    function test_WhenTheKeyMayNotBuy_ItRevertsWithRightMissing() public {
        change(withRights(ALL - RIGHT_BUY));
        vm.expectRevert(abi.encodeWithSelector(IPurse.RightMissing.selector, key, RIGHT_BUY));
        buyFor(key);
    }

    function test_WhenTheProviderIsNotListed_ItRevertsWithProviderNotGranted() public {
        change(withRights(RIGHT_BUY), listOf(stranger));
        vm.expectRevert(abi.encodeWithSelector(IPurse.ProviderNotGranted.selector, provider));
        buyFor(key);
    }

    function test_WhenTheProviderIsListed_ItBuys() public {
        change(withRights(RIGHT_BUY), listOf(provider));
        buyFor(key);
    }

    function test_WhenTheTermIsTooLong_ItRevertsWithTermAboveLimit() public {
        IPurse.Limits memory wanted = limits();
        wanted.maxTerm = 24 * 30;
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.TermAboveLimit.selector, MONTH + 1, MONTH));
        buyFor(key, nodeId, MONTH + 1);
        buyFor(key, nodeId, MONTH);
    }

    function test_WhenTheMachineIsTooExpensive_ItRevertsWithPriceAboveLimit() public {
        IPurse.Limits memory wanted = limits();
        wanted.maxRate = uint96(RATE - 1);
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.PriceAboveLimit.selector, RATE - 1, false));
        buyFor(key);
        wanted.maxRate = uint96(RATE);
        change(wanted);
        buyFor(key);
    }

    function test_WhenItsGPUsAreTooExpensive_ItRevertsWithPriceAboveLimit() public {
        IPurse.Limits memory wanted = limits();
        wanted.maxGpuHour = PER_GPU_HOUR;
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.PriceAboveLimit.selector, PER_GPU_HOUR, true));
        buyFor(key);
        wanted.maxGpuHour = PER_GPU_HOUR + 1;
        change(wanted);
        buyFor(key);
    }

    function test_WhenItHasNoGPU_ItIsNotHeldToThePricePerGPU() public {
        IRegistry.NodeInput memory plain = nodeInput();
        (plain.gpuModel, plain.nGPU, plain.pGPU) = ("", 0, 0);
        vm.prank(provider);
        uint64 plainId = registry.add_node(plain);
        IPurse.Limits memory wanted = limits();
        wanted.maxGpuHour = 1;
        change(wanted);
        buyFor(key, plainId, MONTH);
    }

    function test_WhenTooLittleIsLeft_ItRevertsWithBudgetTooLow() public {
        change(withTotal(RATE - 1));
        vm.expectRevert(abi.encodeWithSelector(IPurse.BudgetTooLow.selector, RATE, RATE - 1));
        buyFor(key);
    }

    function test_WhenTheBudgetWasFilledAgain_ItBuysUpToTheTotal() public {
        IPurse.Limits memory wanted = withTotal(500 * USD);
        wanted.refill = uint96(100 * USD);
        change(wanted);
        uint64 second = addNode(provider);
        buyFor(key);
        assertEq(leftOf(key), 80 * USD);
        pass(3.4 days - 1);
        vm.expectPartialRevert(IPurse.BudgetTooLow.selector);
        buyFor(key, second, MONTH);
        pass(1);
        buyFor(key, second, MONTH);
        assertEq(leftOf(key), 0);
        pass(100 days);
        assertEq(leftOf(key), 500 * USD);
    }

    function test_WhenTheKeyBuys_ItIsThePursesOrderAndCostsTheKeysBudget() public {
        vm.expectEmit(address(purse));
        emit IPurse.Bought(1, 1, key, RATE);
        uint64 id = buyFor(key);
        assertEq(id, 1);
        assertEq(market.getOrder(id).user, address(purse));
        assertEq(leftOf(key), 580 * USD);
        assertEq(balance(), 9580 * USD);
        assertEq(credit.allowance(address(purse), address(market)), 0);
        assertEq(abi.encode(purse.paymentOf(id)), abi.encode(IPurse.Payment(1, uint96(RATE), 0)));
    }

    function test_WhenTheOwnerBuys_ItCostsNoKeysBudget() public {
        vm.expectEmit(address(purse));
        emit IPurse.Bought(1, 0, user, RATE);
        uint64 id = buyFor(user);
        assertEq(purse.paymentOf(id).grantId, 0);
        vm.expectRevert(abi.encodeWithSelector(IPurse.OtherKeysOrder.selector, id, key));
        endFor(key, id);
    }

    function test_WhenThePriceChangedSince_ItRevertsAsCreateOrderDoes() public {
        IRegistry.NodeInput memory dearer = nodeInput();
        dearer.pGPU += USD;
        vm.prank(provider);
        registry.updatenode(nodeId, dearer);
        vm.expectRevert(abi.encodeWithSelector(IMarket.StaleNode.selector, 1, 2));
        buyFor(key);
        assertEq(leftOf(key), 1000 * USD);
    }

    function test_WhenItFreesAnOrderOfThePurseThatWasNeverStarted_ItStillCostsThePrice() public {
        uint64 first = buyFor(key);
        pass(1 days);
        uint64 second = buyFor(key);
        assertEq(leftOf(key), 160 * USD);
        assertEq(purse.reckon(first), RATE);
        assertEq(leftOf(key), 580 * USD);
        assertEq(purse.paymentOf(second).paid, RATE);
    }

    function test_WhenAnotherMarketWasPublished_ItBuysThere() public {
        buyFor(key);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        assertEq(buyFor(key, addNode(provider), MONTH), 1000);
        change(withRights(RIGHT_END));
        endFor(key, 1000);
        endFor(key, 1);
        assertEq(leftOf(key), 1000 * USD);
    }
}
