// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Base } from "../../Base.t.sol";

contract AccessSetRoleTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        vm.prank(guardian);
        access.setRole(IAccess.Role.Guardian, stranger);
    }

    function test_WhenTheAccountIsZero_ItRevertsWithZeroAddress() public {
        vm.expectRevert(IAccess.ZeroAddress.selector);
        vm.prank(owner);
        access.setRole(IAccess.Role.Treasury, address(0));
    }

    function test_WhenAllIsWell_ItGivesTheRole() public {
        vm.startPrank(owner);
        vm.expectEmit(address(access));
        emit IAccess.RoleSet(IAccess.Role.Treasury, stranger);
        access.setRole(IAccess.Role.Treasury, stranger);
        access.setRole(IAccess.Role.Validator, user);
        access.setRole(IAccess.Role.Guardian, operator);
        assertEq(access.treasury(), stranger);
        assertEq(access.validator(), user);
        assertEq(access.guardian(), operator);
    }
}
