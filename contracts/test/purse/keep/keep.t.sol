// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract KeepTest is PurseBase {
    IPurse.Standing private _standing = IPurse.Standing(uint96(500 * USD), uint96(USD), GENESIS + 90 days, 24 * 30);

    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        uint64 id = runFor(key);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, key));
        vm.prank(key);
        purse.keep(id, _standing);
    }

    function test_WhenTheOwnerKeepsAnOrder_ItRemembersHow() public {
        vm.expectEmit(address(purse));
        emit IPurse.Kept(1, _standing);
        vm.prank(user);
        purse.keep(1, _standing);
        assertEq(abi.encode(purse.standingOf(1)), abi.encode(_standing));
    }
}
