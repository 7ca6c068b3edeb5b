// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Tenure
/// @notice For which periods somebody held a place, from a time until another; the other is 0 while it is held. `proofs/Monitors.sol` proves
/// that a period has one holder.
library Tenure {
    /// @notice Whether whoever held a place when a period began still held it at its end.
    function lasts(uint256 until, uint256 end) internal pure returns (bool) {
        return until == 0 || until >= end;
    }

    /// @notice Whether there is a period of this length, of those counted from Unix time 0, for the whole of which the place was held; for a
    /// term that is over.
    function hasPeriod(uint256 from, uint256 until, uint256 length) internal pure returns (bool) {
        return (from + length - 1) / length * length + length <= until;
    }
}
