// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title RewardSpans
/// @notice What was paid in the current span of 8 h and the three before it, in one slot: together never less than what was paid in the
/// last 24 h.
/// @dev The number of the newest span is in the upper 32 bits, four amounts of 56 bits below it, the newest lowest.
library RewardSpans {
    uint256 private constant SPAN = 8 hours;
    uint256 private constant COUNT = 4;
    uint256 private constant WIDTH = 56;
    uint256 private constant AMOUNTS = 2 ** (COUNT * WIDTH) - 1;
    uint256 private constant AMOUNT = 2 ** WIDTH - 1;
    /// @dev Amounts are counted in millionths of a USD, rounded up.
    uint256 private constant UNIT = 1e12;

    /// @notice The highest cap whose sums do not overflow.
    uint256 internal constant MAX_CAP = 2 ** 48 * UNIT;

    /// @notice What was paid in the last 24 to 32 h, in wei.
    function paid(uint256 spans) internal view returns (uint256 sum) {
        uint256 amounts = _amounts(spans);
        for (uint256 i = 0; i < COUNT; ++i) {
            sum += (amounts >> (i * WIDTH)) & AMOUNT;
        }
        sum *= UNIT;
    }

    /// @notice The spans after `amount` wei more.
    function add(uint256 spans, uint256 amount) internal view returns (uint256) {
        return ((block.timestamp / SPAN) << (COUNT * WIDTH)) | (_amounts(spans) + (amount + UNIT - 1) / UNIT);
    }

    function _amounts(uint256 spans) private view returns (uint256) {
        uint256 passed = block.timestamp / SPAN - (spans >> (COUNT * WIDTH));
        return passed < COUNT ? ((spans & AMOUNTS) << (passed * WIDTH)) & AMOUNTS : 0;
    }
}
