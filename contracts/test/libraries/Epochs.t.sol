// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { Epochs } from "../../src/libraries/Epochs.sol";

contract EpochsTest is Test {
    Epochs.Pace private eightHours = Epochs.Pace(5 minutes, 96);

    function testFuzz_EpochsWithinATimeAreThoseThatLieWhollyInIt(uint32 period, uint40 from, uint40 until) public view {
        uint256 start = Epochs.startOf(eightHours, period);
        // Near the period, where the boundaries are.
        from = uint40(bound(from, start > 1 days ? start - 1 days : 0, start + 1 days));
        until = uint40(bound(until, start > 1 days ? start - 1 days : 0, start + 1 days));
        uint256 bits = Epochs.within(eightHours, period, from, until);
        for (uint256 i = 0; i < 96; ++i) {
            uint256 begin = start + i * 5 minutes;
            assertEq((bits >> i) & 1 == 1, begin >= from && begin + 5 minutes <= until);
        }
        assertEq(bits >> 96, 0);
    }
}
