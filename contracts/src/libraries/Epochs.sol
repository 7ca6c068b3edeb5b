// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Epochs
/// @notice Time in epochs of 5 minutes and periods of 96 epochs, counted from Unix time 0.
library Epochs {
    uint256 internal constant SECONDS = 5 minutes;
    uint256 internal constant PER_PERIOD = 96;
    uint256 private constant PERIOD = PER_PERIOD * SECONDS;

    function startOf(uint64 period) internal pure returns (uint256) {
        return uint256(period) * PERIOD;
    }

    function endOf(uint64 period) internal pure returns (uint256) {
        return (uint256(period) + 1) * PERIOD;
    }

    /// @notice The number of the period's first epoch.
    function first(uint64 period) internal pure returns (uint256) {
        return uint256(period) * PER_PERIOD;
    }

    /// @notice The epochs of a period, as bits, that lie wholly in the Unix time from `from` until before `until`.
    function within(uint64 period, uint256 from, uint256 until) internal pure returns (uint256 bits) {
        uint256 start = startOf(period);
        uint256 low = from <= start ? 0 : (from - start + SECONDS - 1) / SECONDS;
        uint256 high = until <= start ? 0 : (until - start) / SECONDS;
        if (high > PER_PERIOD) high = PER_PERIOD;
        if (low < high) bits = 2 ** high - 2 ** low;
    }
}
