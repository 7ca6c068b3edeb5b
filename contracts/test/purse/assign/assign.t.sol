// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

contract AssignTest is PurseBase {
    function assign(uint64 id, address to) private {
        vm.prank(user);
        purse.assign(id, to);
    }

    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        uint64 id = buyFor(user);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, key));
        vm.prank(key);
        purse.assign(id, key);
    }

    function test_WhenTheKeyHasNoGrant_ItRevertsWithKeyNotValid() public {
        uint64 id = buyFor(user);
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, stranger));
        assign(id, stranger);
    }

    function test_WhenAGrantedKeyPaidTheOrder_ItRevertsWithPaidByKey() public {
        uint64 id = buyFor(key);
        give(stranger, limits());
        vm.expectRevert(abi.encodeWithSelector(IPurse.PaidByKey.selector, id));
        assign(id, stranger);
    }

    function test_WhenTheOwnerPaidTheOrder_ItIsTheKeysToEnd() public {
        uint64 id = buyFor(user);
        vm.expectEmit(address(purse));
        emit IPurse.Assigned(id, 1);
        assign(id, key);
        endFor(key, id);
        assertEq(leftOf(key), 1000 * USD);
        assertEq(balance(), 10_000 * USD);
    }

    function test_WhenTheOrderWasAssignedBefore_ItIsTheOtherKeysNow() public {
        uint64 id = buyFor(user);
        assign(id, key);
        give(stranger, limits());
        assign(id, stranger);
        vm.expectRevert(abi.encodeWithSelector(IPurse.OtherKeysOrder.selector, id, key));
        endFor(key, id);
        endFor(stranger, id);
    }

    function test_WhenTheKeyThatPaidWasRevoked_ItIsTheOtherKeysAndItsRefundCountsForNone() public {
        uint64 id = buyFor(key);
        vm.prank(user);
        purse.revoke(key);
        give(stranger, withTotal(10 * USD));
        assign(id, stranger);
        endFor(stranger, id);
        assertEq(leftOf(stranger), 10 * USD);
        assertEq(purse.grantAt(1).left, 580 * USD);
    }
}
