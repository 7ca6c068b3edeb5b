// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract GrantTest is PurseBase {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, stranger));
        vm.prank(stranger);
        purse.grant(stranger, limits(), new address[](0));
    }

    function test_WhenTheCallerIsAKey_ItRevertsWithNotPurseOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, key));
        vm.prank(key);
        purse.grant(stranger, limits(), new address[](0));
    }

    function test_WhenTheKeyIsTheZeroAddress_ItRevertsWithGrantMalformed() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.GrantMalformed.selector, 64));
        give(address(0), limits());
    }

    function test_WhenMoreThan64ProvidersAreNamed_ItRevertsWithGrantMalformed() public {
        give(operator, limits(), new address[](64));
        vm.expectRevert(abi.encodeWithSelector(IPurse.GrantMalformed.selector, 64));
        give(stranger, limits(), new address[](65));
    }

    function test_WhenTheKeyHasAGrant_ItRevertsWithKeyInUse() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.KeyInUse.selector, key));
        give(key, limits());
    }

    function test_WhenTheKeyHasNone_ItMaySpendTheTotal() public {
        IPurse.Limits memory wanted = withTotal(7 * USD);
        vm.expectEmit(address(purse));
        emit IPurse.Granted(2, stranger, wanted, listOf(provider));
        assertEq(give(stranger, wanted, listOf(provider)), 2);
        IPurse.Grant memory found = purse.grantOf(stranger);
        assertEq(abi.encode(found), abi.encode(IPurse.Grant(2, stranger, false, uint96(7 * USD), wanted)));
        assertEq(abi.encode(purse.grantAt(2)), abi.encode(found));
        assertEq(purse.grants(), 2);
        assertEq(purse.grantAt(3).id, 0);
        assertEq(purse.grantOf(operator).id, 0);
        assertTrue(purse.mayUse(stranger, provider));
    }

    function test_WhenARevokedKeyIsGrantedAgain_ItStartsAnewWithoutItsEarlierOrders() public {
        uint64 id = buyFor(key);
        vm.prank(user);
        purse.revoke(key);
        assertTrue(purse.grantAt(1).isRevoked);
        give(key, limits());
        assertEq(leftOf(key), 1000 * USD);
        vm.expectRevert(abi.encodeWithSelector(IPurse.OtherKeysOrder.selector, id, key));
        endFor(key, id);
        endFor(user, id);
        assertEq(leftOf(key), 1000 * USD);
    }
}
