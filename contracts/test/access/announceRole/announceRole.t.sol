// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { Base } from "../../Base.t.sol";

contract AccessAnnounceRoleTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        vm.prank(guardian);
        access.announceRole(IAccess.Role.Validator, stranger);
    }

    function test_WhenTheAccountIsZero_ItWithdrawsWhatWasAnnounced() public {
        vm.chainId(985);
        vm.startPrank(owner);
        access.announceRole(IAccess.Role.Treasury, stranger);
        access.announceRole(IAccess.Role.Treasury, address(0));
        pass(7 days);
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotAnnounced.selector, type(uint40).max));
        access.setRole(IAccess.Role.Treasury, stranger);
        vm.expectRevert(IAccess.ZeroAddress.selector);
        access.setRole(IAccess.Role.Treasury, address(0));
    }

    function test_WhenAllIsWell_ItSaysFromWhenTheRoleCanBeGiven() public {
        vm.expectEmit(address(access));
        emit IAccess.RoleAnnounced(IAccess.Role.Validator, stranger, GENESIS + 7 days);
        vm.prank(owner);
        access.announceRole(IAccess.Role.Validator, stranger);
        assertEq(access.validator(), validator);
    }
}
