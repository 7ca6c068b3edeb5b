// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

contract RevokeTest is PurseBase {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, key));
        vm.prank(key);
        purse.revoke(key);
    }

    function test_WhenTheKeyHasNoGrant_ItRevertsWithKeyNotValid() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyNotValid.selector, stranger));
        vm.prank(user);
        purse.revoke(stranger);
    }

    function test_WhenItIsRevoked_ItMayDoNothingFromThenOn() public {
        uint64 id = runFor(key);
        vm.expectEmit(address(purse));
        emit IPurse.Revoked(1, key);
        vm.prank(user);
        purse.revoke(key);
        bytes memory refused = abi.encodeWithSelector(IPurse.KeyNotValid.selector, key);
        vm.expectRevert(refused);
        buyFor(key);
        vm.expectRevert(refused);
        vm.prank(key);
        purse.extend(id, 1 days);
        vm.expectRevert(refused);
        endFor(key, id);
        assertEq(purse.grantOf(key).id, 0);
    }
}
