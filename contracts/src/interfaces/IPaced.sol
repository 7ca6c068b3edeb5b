// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Paced
/// @notice How time is counted: an epoch has `epochSeconds`, a period `epochsPerPeriod`, both from Unix time 0.
interface IPaced {
    function epochSeconds() external view returns (uint256);
    function epochsPerPeriod() external view returns (uint256);
}
