// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract AccessPausedTest is Base {
    function test_WhenNobodyEverPaused_ItIsFalse() public view {
        assertFalse(access.paused());
        assertEq(access.pausedUntil(), 0);
    }

    function test_WhenAPauseRuns_ItIsTrueUntilItsLastSecond() public {
        vm.prank(guardian);
        access.pause();
        assertTrue(access.paused());
        vm.warp(access.pausedUntil() - 1);
        assertTrue(access.paused());
        vm.warp(access.pausedUntil());
        assertFalse(access.paused());
    }

    function test_WhenTheOwnerEndedIt_ItIsFalse() public {
        vm.prank(guardian);
        access.pause();
        vm.prank(owner);
        access.unpause();
        assertFalse(access.paused());
        assertEq(access.pausedUntil(), 0);
    }
}
