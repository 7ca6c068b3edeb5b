// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { RIGHT_EXTEND } from "../../../src/types/Rights.sol";
import { PurseBase } from "../PurseBase.sol";

contract MoveTest is PurseBase {
    function publishNext() private {
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
    }

    function moveFor(address by, uint64 id) private returns (uint64) {
        vm.prank(by);
        return purse.move(id, agreed(initialParams()));
    }

    function test_WhenTheKeyMayNotExtend_ItRevertsWithRightMissing() public {
        uint64 id = runFor(key);
        publishNext();
        change(withRights(ALL - RIGHT_EXTEND));
        vm.expectRevert(abi.encodeWithSelector(IPurse.RightMissing.selector, key, RIGHT_EXTEND));
        moveFor(key, id);
    }

    function test_WhenItIsTheOwnersOrder_ItRevertsWithOtherKeysOrder() public {
        uint64 id = runFor(user);
        publishNext();
        vm.expectRevert(abi.encodeWithSelector(IPurse.OtherKeysOrder.selector, id, key));
        moveFor(key, id);
    }

    function test_WhenNoOtherMarketIsCurrent_ItRevertsAsTheMarketDoes() public {
        uint64 id = runFor(key);
        vm.expectRevert(IMarket.NowhereToMove.selector);
        moveFor(key, id);
    }

    function test_WhenTheKeyMoves_ItPaysTheRestWithWhatCameBack() public {
        uint64 id = runFor(key);
        pass(3 days);
        publishNext();
        vm.expectEmit(address(purse));
        emit IPurse.Moved(id, 1000, key);
        assertEq(moveFor(key, id), 1000);
        uint256 rest = RATE * 27 / 30;
        assertEq(purse.paymentOf(1000).paid, rest);
        assertEq(leftOf(key), 580 * USD);
        endFor(key, 1000);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
        assertEq(balance(), 10_000 * USD - RATE / 10);
    }

    function test_WhenTheOwnerPaidPartOfIt_ItCountsOnlyTheKeysPart() public {
        uint64 id = runFor(key);
        vm.prank(user);
        purse.extend(id, MONTH);
        pass(3 days);
        publishNext();
        moveFor(user, id);
        assertEq(purse.paymentOf(1000).paid, RATE * 27 / 30);
        endFor(user, 1000);
        assertEq(leftOf(key), 1000 * USD - RATE / 10);
    }

    function test_WhenTheOwnersOrderIsKept_ItIsKeptUnderItsNewNumber() public {
        uint64 id = runFor(user);
        IPurse.Standing memory standing = IPurse.Standing(NO_LIMIT, 0, GENESIS + 90 days, 24 * 30);
        vm.prank(user);
        purse.keep(id, standing);
        pass(3 days);
        publishNext();
        moveFor(user, id);
        assertEq(abi.encode(purse.standingOf(1000)), abi.encode(standing));
        assertEq(purse.standingOf(id).step, 0);
        assertEq(purse.paymentOf(1000).grantId, 0);
    }
}
