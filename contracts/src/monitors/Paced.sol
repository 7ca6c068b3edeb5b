// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../interfaces/IMonitors.sol";
import { IPaced } from "../interfaces/IPaced.sol";
import { Epochs } from "../libraries/Epochs.sol";

/// @title Paced
/// @notice How {Monitors} and {Findings} count time.
abstract contract Paced is IPaced {
    /// @dev A period of eight hours divided by this is an hour.
    uint256 private constant WINDOWS = 8;

    uint256 public immutable epochSeconds;
    uint256 public immutable epochsPerPeriod;

    constructor(uint256 epochSeconds_, uint256 epochsPerPeriod_) {
        epochSeconds = epochSeconds_;
        epochsPerPeriod = epochsPerPeriod_;
    }

    function _pace() internal view returns (Epochs.Pace memory) {
        return Epochs.Pace(epochSeconds, epochsPerPeriod);
    }

    function _periodSeconds() internal view returns (uint256) {
        return epochSeconds * epochsPerPeriod;
    }

    /// @dev Seconds to commit, and to reveal.
    function _window() internal view returns (uint256) {
        return _periodSeconds() / WINDOWS;
    }

    function _requireWindow(uint256 from, uint256 until) internal view {
        if (block.timestamp < from || block.timestamp >= until) revert IMonitors.OutsideWindow(from, until);
    }
}
