// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { RIGHT_EXTEND } from "../../../src/types/Rights.sol";
import { PurseBase } from "../PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract ExtendTest is PurseBase {
    function extendFor(address by, uint64 id) private {
        vm.prank(by);
        purse.extend(id, MONTH);
    }

    function test_WhenTheCallerHasNoGrant_ItRevertsWithKeyNotValid() public {
        uint64 id = runFor(key);
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, stranger));
        extendFor(stranger, id);
    }

    function test_WhenTheKeyMayNotExtend_ItRevertsWithRightMissing() public {
        uint64 id = runFor(key);
        change(withRights(ALL - RIGHT_EXTEND));
        vm.expectRevert(abi.encodeWithSelector(IPurse.RightMissing.selector, key, RIGHT_EXTEND));
        extendFor(key, id);
    }

    function test_WhenItIsAnotherKeysOrder_ItRevertsWithOtherKeysOrder() public {
        uint64 id = runFor(key);
        give(stranger, limits());
        vm.expectRevert(abi.encodeWithSelector(IPurse.OtherKeysOrder.selector, id, stranger));
        extendFor(stranger, id);
    }

    function test_WhenTheProviderIsNotListedAnyMore_ItRevertsWithProviderNotGranted() public {
        uint64 id = runFor(key);
        change(withRights(RIGHT_EXTEND), listOf(stranger));
        vm.expectRevert(abi.encodeWithSelector(IPurse.ProviderNotGranted.selector, provider));
        extendFor(key, id);
    }

    function test_WhenTooMuchWouldLieAhead_ItRevertsWithTermAboveLimit() public {
        uint64 id = runFor(key);
        IPurse.Limits memory wanted = limits();
        wanted.maxTerm = 24 * 59;
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.TermAboveLimit.selector, 60 days, 59 days));
        extendFor(key, id);
        pass(1 days);
        extendFor(key, id);
    }

    function test_WhenItsPriceIsAboveTheLimit_ItRevertsWithPriceAboveLimit() public {
        uint64 id = runFor(key);
        IPurse.Limits memory wanted = limits();
        wanted.maxRate = uint96(RATE - 1);
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.PriceAboveLimit.selector, RATE - 1, false));
        extendFor(key, id);
        (wanted.maxRate, wanted.maxGpuHour) = (NO_LIMIT, uint96(USD / 5));
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.PriceAboveLimit.selector, USD / 5, true));
        extendFor(key, id);
    }

    function test_WhenTooLittleIsLeft_ItRevertsWithBudgetTooLow() public {
        uint64 id = runFor(key);
        change(withTotal(800 * USD));
        vm.expectRevert(abi.encodeWithSelector(IPurse.BudgetTooLow.selector, RATE, 380 * USD));
        extendFor(key, id);
    }

    function test_WhenTheKeyExtends_ItCostsItsBudget() public {
        uint64 id = runFor(key);
        vm.expectEmit(address(purse));
        emit IPurse.Extended(id, 1, key, RATE);
        extendFor(key, id);
        assertEq(leftOf(key), 160 * USD);
        assertEq(purse.paymentOf(id).paid, 2 * RATE);
        assertEq(market.getOrder(id).duration, 2 * MONTH);
        assertEq(credit.allowance(address(purse), address(market)), 0);
    }

    function test_WhenTheOwnerExtends_ItCostsNoKeysBudget() public {
        uint64 id = runFor(key);
        vm.expectEmit(address(purse));
        emit IPurse.Extended(id, 0, user, RATE);
        extendFor(user, id);
        assertEq(leftOf(key), 580 * USD);
        assertEq(purse.paymentOf(id).paid, RATE);
    }
}
