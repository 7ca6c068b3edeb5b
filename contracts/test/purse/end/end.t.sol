// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { RIGHT_END } from "../../../src/types/Rights.sol";
import { PurseBase } from "../PurseBase.sol";

contract EndTest is PurseBase {
    function test_WhenTheKeyMayNotEnd_ItRevertsWithRightMissing() public {
        uint64 id = buyFor(key);
        change(withRights(ALL - RIGHT_END));
        vm.expectRevert(abi.encodeWithSelector(IPurse.RightMissing.selector, key, RIGHT_END));
        endFor(key, id);
    }

    function test_WhenItIsTheOwnersOrder_ItRevertsWithOtherKeysOrder() public {
        uint64 id = buyFor(user);
        vm.expectRevert(abi.encodeWithSelector(IPurse.OtherKeysOrder.selector, id, key));
        endFor(key, id);
    }

    function test_WhenItEndedAlready_ItRevertsAsUserCancelDoes() public {
        uint64 id = buyFor(key);
        endFor(key, id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.UserCancelled));
        endFor(key, id);
    }

    function test_WhenItWasNotStarted_ItCountsAllOfItAgain() public {
        uint64 id = buyFor(key);
        vm.expectEmit(address(purse));
        emit IPurse.Ended(id, key);
        vm.expectEmit(address(purse));
        emit IPurse.Returned(id, 1, RATE);
        endFor(key, id);
        assertEq(leftOf(key), 1000 * USD);
        assertEq(balance(), 10_000 * USD);
    }

    function test_WhenItRan_ItCountsWhatWasNotUsed() public {
        uint64 id = runFor(key);
        pass(3 days);
        endFor(key, id);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
        assertEq(balance(), 10_000 * USD - RATE / 10);
    }

    function test_WhenTheOwnerEndsAKeysOrder_ItCountsForTheKey() public {
        uint64 id = runFor(key);
        pass(3 days);
        endFor(user, id);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
    }
}
