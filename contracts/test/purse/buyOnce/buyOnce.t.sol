// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { RIGHT_BUY } from "../../../src/types/Rights.sol";
import { PurseBase } from "../PurseBase.sol";

contract BuyOnceTest is PurseBase {
    bytes32 private constant JOB = "job 12";

    function test_WhenNothingWasBoughtUnderThatName_ItBuysAsBuyDoes() public {
        assertEq(purse.boughtOnce(key, JOB), 0);
        vm.expectEmit(address(purse));
        emit IPurse.Bought(1, 1, key, RATE);
        assertEq(buyOnceFor(key, JOB, nodeId), 1);
        assertEq(purse.boughtOnce(key, JOB), 1);
        assertEq(leftOf(key), 580 * USD);
        assertEq(market.getOrder(1).user, address(purse));
    }

    function test_WhenItWasBoughtBefore_ItPaysNothingAndNamesThatOrder() public {
        uint64 second = addNode(provider);
        uint64 id = buyOnceFor(key, JOB, nodeId);
        vm.recordLogs();
        assertEq(buyOnceFor(key, JOB, nodeId), id);
        assertEq(buyOnceFor(key, JOB, second), id);
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(leftOf(key), 580 * USD);
        assertEq(balance(), 9580 * USD);
    }

    function test_WhenThatOrderHasEnded_ItStillBuysNothing() public {
        uint64 id = buyOnceFor(key, JOB, nodeId);
        endFor(key, id);
        assertEq(buyOnceFor(key, JOB, nodeId), id);
        assertEq(leftOf(key), 1000 * USD);
    }

    function test_WhenAnotherKeyNamesItsPurchaseSo_ItBuys() public {
        uint64 id = buyOnceFor(key, JOB, nodeId);
        uint64 other = buyOnceFor(user, JOB, addNode(provider));
        assertEq(other, id + 1);
        assertEq(purse.boughtOnce(user, JOB), other);
        assertEq(purse.boughtOnce(key, JOB), id);
    }

    function test_WhenTheKeyMayNotBuy_ItRevertsWithRightMissing() public {
        change(withRights(ALL - RIGHT_BUY));
        vm.expectRevert(abi.encodeWithSelector(IPurse.RightMissing.selector, key, RIGHT_BUY));
        buyOnceFor(key, JOB, nodeId);
    }

    function test_WhenThePurchaseWasRefused_TheNameIsFree() public {
        change(withTotal(RATE - 1));
        vm.expectRevert(abi.encodeWithSelector(IPurse.BudgetTooLow.selector, RATE, RATE - 1));
        buyOnceFor(key, JOB, nodeId);
        change(withTotal(RATE));
        assertEq(buyOnceFor(key, JOB, nodeId), 1);
    }
}
