// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Bonds
/// @notice What a monitor's bond loses, and what it is worth against another's. `proofs/Monitors.sol` proves what its callers rely on.
library Bonds {
    /// @dev A first contradiction costs this part of the bond, each further one twice the part of the one before.
    uint256 private constant FIRST_PART = 20;
    /// @dev Who takes another's place offers a bond higher by this part of it.
    uint256 private constant OUTBID = 10;

    /// @notice What one more contradiction costs, for a bond that stands after so many.
    /// @dev The powers of two one by one: a prover knows nothing of a power whose exponent varies. The sixth is more than there is.
    function fine(uint256 bond, uint256 contradictions) internal pure returns (uint256) {
        if (contradictions > 4) return bond;
        uint256 parts = contradictions == 0 ? 1 : contradictions == 1 ? 2 : contradictions == 2 ? 4 : contradictions == 3 ? 8 : 16;
        return bond * parts / FIRST_PART;
    }

    /// @notice The least bond that takes the place of one.
    function toOutbid(uint256 bond) internal pure returns (uint256) {
        return bond + bond / OUTBID;
    }
}
