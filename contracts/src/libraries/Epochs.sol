// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";

/// @title Epochs
/// @notice Time in epochs and periods of epochs, counted from Unix time 0.
library Epochs {
    /// @notice An epoch of `epochSeconds`, a period of `epochs` of them.
    struct Pace {
        uint256 epochSeconds;
        uint256 epochs;
    }

    function startOf(Pace memory pace, uint64 period) internal pure returns (uint256) {
        return uint256(period) * pace.epochs * pace.epochSeconds;
    }

    function endOf(Pace memory pace, uint64 period) internal pure returns (uint256) {
        return (uint256(period) + 1) * pace.epochs * pace.epochSeconds;
    }

    /// @notice One of the epochs that are set in `bits`, which is not zero, by a random number.
    function pick(uint256 bits, uint256 random) internal pure returns (uint256 epoch) {
        uint256 left = random % LibBit.popCount(bits);
        for (; left > 0; --left) {
            bits &= bits - 1;
        }
        return LibBit.ffs(bits);
    }

    /// @notice The number of the period's first epoch.
    function first(Pace memory pace, uint64 period) internal pure returns (uint256) {
        return uint256(period) * pace.epochs;
    }

    /// @notice The epochs of a period, as a bitmap, that lie entirely between the Unix times `from` (inclusive) and `until` (exclusive).
    function within(Pace memory pace, uint64 period, uint256 from, uint256 until) internal pure returns (uint256 bits) {
        (uint256 start, uint256 length) = (startOf(pace, period), pace.epochSeconds);
        uint256 low = from <= start ? 0 : (from - start + length - 1) / length;
        uint256 high = until <= start ? 0 : (until - start) / length;
        if (high > pace.epochs) high = pace.epochs;
        if (low < high) bits = 2 ** high - 2 ** low;
    }
}
