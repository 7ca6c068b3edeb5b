// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Base } from "../../Base.t.sol";

contract AccessUnpauseTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        vm.prank(guardian);
        access.unpause();
    }

    function test_WhenNothingIsPaused_ItRevertsWithNotPaused() public {
        vm.expectRevert(IAccess.NotPaused.selector);
        vm.prank(owner);
        access.unpause();
    }

    function test_WhenPaused_ItOpensEntries() public {
        vm.prank(guardian);
        access.pause();
        vm.expectEmit(address(access));
        emit IAccess.Unpaused();
        vm.prank(owner);
        access.unpause();
        assertFalse(access.paused());
    }
}
