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

    function announceOnMain(address account) private {
        vm.chainId(985);
        vm.prank(owner);
        access.announceRole(IAccess.Role.Validator, account);
    }

    function requireNotAnnounced(address account, uint40 from) private {
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotAnnounced.selector, from));
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, account);
    }

    function test_WhenItWasNotAnnounced_ItRevertsWithNotAnnounced() public {
        announceOnMain(stranger);
        pass(7 days);
        requireNotAnnounced(user, type(uint40).max);
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotAnnounced.selector, type(uint40).max));
        vm.prank(owner);
        access.setRole(IAccess.Role.Treasury, stranger);
    }

    function test_WhenSevenDaysHaveNotPassed_ItRevertsWithNotAnnounced() public {
        announceOnMain(stranger);
        pass(7 days - 1);
        requireNotAnnounced(stranger, uint40(GENESIS + 7 days));
    }

    function test_WhenFourteenDaysMoreHavePassed_ItRevertsWithNotAnnounced() public {
        announceOnMain(stranger);
        pass(21 days);
        requireNotAnnounced(stranger, uint40(GENESIS + 7 days));
    }

    function test_WhenAnotherAccountWasAnnouncedSince_ItRevertsWithNotAnnounced() public {
        announceOnMain(stranger);
        pass(7 days);
        announceOnMain(user);
        requireNotAnnounced(stranger, type(uint40).max);
        requireNotAnnounced(user, uint40(GENESIS + 14 days));
    }

    function test_WhenItWasAnnounced_ItGivesTheRoleOnce() public {
        announceOnMain(stranger);
        pass(21 days - 1);
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, stranger);
        assertEq(access.validator(), stranger);
        requireNotAnnounced(stranger, type(uint40).max);
    }

    function test_WhenItIsTheChainOfALocalMarket_ItGivesTheRoleAtOnce() public {
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
