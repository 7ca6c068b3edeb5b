// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { IPurseFactory } from "../../../src/interfaces/IPurseFactory.sol";
import { PurseBase } from "../../purse/PurseBase.sol";

contract CreateTest is PurseBase {
    function test_WhenThereIsNoOwner_ItRevertsWithOwnerMissing() public {
        vm.expectRevert(IPurseFactory.OwnerMissing.selector);
        factory.create(address(0));
    }

    function test_WhenItIsTheOwnersFirst_ItIsAtTheAddressKnownBefore() public {
        (address expected, bool exists) = factory.purseOf(stranger);
        assertFalse(exists);
        fund(expected, USD);
        vm.expectEmit(address(factory));
        emit IPurseFactory.PurseCreated(stranger, expected);
        vm.prank(operator);
        assertEq(factory.create(stranger), expected);
        assertEq(IPurse(expected).owner(), stranger);
        assertEq(credit.balanceOf(expected), USD);
    }

    function test_WhenTheOwnerHasOne_ItReturnsThat() public {
        vm.recordLogs();
        assertEq(factory.create(user), address(purse));
        assertEq(vm.getRecordedLogs().length, 0);
    }
}
