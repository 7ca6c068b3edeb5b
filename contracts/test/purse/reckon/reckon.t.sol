// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { MONTH, PENDING_PERIOD } from "../../../src/types/Constants.sol";
import { PurseBase } from "../PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract ReckonTest is PurseBase {
    function test_WhenTheOrderRuns_ItCountsNothing() public {
        uint64 id = buyFor(key);
        assertEq(purse.reckon(id), 0);
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
        assertEq(purse.reckon(id), 0);
        pass(MONTH);
        assertEq(purse.reckon(id), 0);
    }

    function test_WhenNoKeyPaidIt_ItCountsNothing() public {
        uint64 id = buyFor(user);
        endFor(user, id);
        assertEq(purse.reckon(id), 0);
        assertEq(purse.reckon(77), 0);
    }

    function test_WhenTheOrderWasUsedUp_ItCountsNothing() public {
        uint64 id = runFor(key);
        pass(MONTH + 1 days);
        market.proSettle(id);
        assertEq(purse.reckon(id), 0);
    }

    function test_WhenTheProviderDroppedIt_ItCountsTheRefundWithoutTheCompensation() public {
        uint64 id = runFor(key);
        pass(3 days);
        vm.prank(provider);
        market.providerCancel(id);
        vm.expectEmit(address(purse));
        emit IPurse.Returned(id, 1, RATE - RATE / 10);
        vm.prank(stranger);
        assertEq(purse.reckon(id), RATE - RATE / 10);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
        // A day of the order came out of the pledge: the owner's, not the key's.
        assertEq(balance(), 10_000 * USD - RATE / 10 + RATE / 30);
    }

    function test_WhenWhatWasPendingIsRefundedLater_ItCountsThatToo() public {
        uint64 id = runFor(key);
        pass(3 days);
        endFor(key, id);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
        report(id, 12 hours);
        assertEq(purse.reckon(id), RATE / 60);
        assertEq(leftOf(key), 1000 * USD - RATE / 10 + RATE / 60);
        assertEq(purse.reckon(id), 0);
    }

    function test_WhenNoReportCame_ItCountsNothingMore() public {
        uint64 id = runFor(key);
        pass(3 days);
        endFor(key, id);
        pass(PENDING_PERIOD);
        market.proSettle(id);
        assertEq(purse.reckon(id), 0);
    }

    function test_WhenTheBudgetIsFullAgain_ItStaysAtTheTotal() public {
        IPurse.Limits memory wanted = withTotal(500 * USD);
        wanted.refill = uint96(420 * USD);
        change(wanted);
        uint64 id = buyFor(key);
        pass(1 days);
        endFor(key, id);
        assertEq(leftOf(key), 500 * USD);
    }

    function test_WhenABudgetWithoutALimitIsFullAgain_ItStaysFull() public {
        IPurse.Limits memory wanted = withTotal(NO_LIMIT);
        wanted.refill = uint96(420 * USD);
        change(wanted);
        uint64 id = buyFor(key);
        pass(1 days);
        endFor(key, id);
        assertEq(leftOf(key), NO_LIMIT);
    }

    function test_WhenTheOwnerPaidForMoreTime_ItCountsTheKeysMoneyAsUsedFirst() public {
        uint64 id = runFor(key);
        vm.prank(user);
        purse.extend(id, MONTH);
        pass(3 days);
        endFor(key, id);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
        assertEq(balance(), 10_000 * USD - RATE / 10);
    }
}
