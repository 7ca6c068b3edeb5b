// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { Base } from "../../Base.t.sol";

contract AccessPauseTest is Base {
    function test_WhenTheCallerIsNotTheGuardian_ItRevertsWithNotGuardian() public {
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotGuardian.selector, owner));
        vm.prank(owner);
        access.pause();
    }

    function test_WhenTheGuardianPausedWithin30Days_ItRevertsWithPauseTooSoon() public {
        vm.startPrank(guardian);
        access.pause();
        pass(30 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IAccess.PauseTooSoon.selector, GENESIS + 30 days));
        access.pause();
    }

    function test_WhenTheGuardianCalls_ItBlocksEntriesFor7Days() public {
        vm.expectEmit(address(access));
        emit IAccess.Paused(guardian, GENESIS + 7 days);
        vm.prank(guardian);
        access.pause();
        assertTrue(access.paused());
        assertEq(access.pausedUntil(), GENESIS + 7 days);
        pass(7 days - 1);
        assertTrue(access.paused());
        pass(1);
        assertFalse(access.paused());
    }

    function test_When30DaysHavePassed_ItCanPauseAgain() public {
        vm.startPrank(guardian);
        access.pause();
        pass(30 days);
        access.pause();
        assertTrue(access.paused());
    }

    function test_WhenThereIsANewGuardian_ItCanPauseAtOnce() public {
        vm.prank(guardian);
        access.pause();
        vm.prank(owner);
        access.setRole(IAccess.Role.Guardian, stranger);
        vm.prank(stranger);
        access.pause();
        assertTrue(access.paused());
    }
}
