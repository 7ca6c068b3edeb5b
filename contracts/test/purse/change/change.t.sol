// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { RIGHT_BUY } from "../../../src/types/Rights.sol";
import { PurseBase } from "../PurseBase.sol";

contract ChangeTest is PurseBase {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, key));
        vm.prank(key);
        purse.change(key, limits(), new address[](0));
    }

    function test_WhenTheKeyHasNoGrant_ItRevertsWithKeyNotValid() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, stranger));
        vm.prank(user);
        purse.change(stranger, limits(), new address[](0));
    }

    function test_WhenMoreThan64ProvidersAreNamed_ItRevertsWithGrantMalformed() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.GrantMalformed.selector, 64));
        change(limits(), new address[](65));
    }

    function test_WhenTheTotalGrows_ItMaySpendAsMuchMore() public {
        buyFor(key);
        vm.expectEmit(address(purse));
        emit IPurse.GrantChanged(1, key, withTotal(1500 * USD), new address[](0));
        change(withTotal(1500 * USD));
        assertEq(leftOf(key), 1080 * USD);
    }

    function test_WhenTheTotalShrinks_ItMaySpendAsMuchLess() public {
        buyFor(key);
        change(withTotal(500 * USD));
        assertEq(leftOf(key), 80 * USD);
        change(withTotal(100 * USD));
        assertEq(leftOf(key), 0);
    }

    function test_WhenProvidersAreReplaced_ItForgetsTheEarlierOnes() public {
        change(withRights(RIGHT_BUY), listOf(provider));
        assertTrue(purse.mayUse(key, provider));
        change(withRights(RIGHT_BUY), listOf(stranger));
        assertFalse(purse.mayUse(key, provider));
        assertTrue(purse.mayUse(key, stranger));
    }

    function test_WhenAnExpiredKeyGetsMoreTime_ItSpendsAgain() public {
        IPurse.Limits memory wanted = limits();
        wanted.validUntil = GENESIS - 1;
        change(wanted);
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, key));
        buyFor(key);
        wanted.validUntil = GENESIS;
        change(wanted);
        buyFor(key);
    }
}
