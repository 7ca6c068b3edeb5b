// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { IAccess } from "../interfaces/IAccess.sol";
import { IFindings } from "../interfaces/IFindings.sol";
import { Paced } from "../monitors/Paced.sol";

/// @title Maintenance
/// @notice Announced hours in which a provider's nodes may be down.
abstract contract Maintenance is IFindings, Paced {
    /// @dev In periods: a day, and 30 days.
    uint256 private constant NOTICE_PERIODS = 3;
    uint256 private constant MONTH_PERIODS = 90;
    uint256 private constant MAX_WINDOWS = 8;
    uint256 private constant MAX_NODES = 50;

    uint256 private constant WINDOW_BITS = 32;
    uint256 private constant WINDOW = 2 ** WINDOW_BITS - 1;
    /// @dev Set once this contract has written a month: what its predecessor has of it counts no more. No first epoch is that late.
    uint256 private constant TAKEN = 2 ** 255;

    IFindings public immutable predecessor;
    IAccess private immutable _access;

    /// @dev All windows of a node in a month, packed into one word, so that a month without any costs one read: each has its first epoch,
    /// relative to that of the month, in the upper 16 of 32 bits, and its number of epochs in the lower; 0 where there is none.
    mapping(address provider => mapping(uint64 nodeId => mapping(uint64 month => uint256))) private _windows;

    constructor(IAccess access_, IFindings predecessor_) {
        predecessor = predecessor_;
        _access = access_;
        if (address(predecessor_) == address(0)) return;
        if (predecessor_.epochSeconds() != epochSeconds || predecessor_.epochsPerPeriod() != epochsPerPeriod) revert OtherPace();
    }

    function announceMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) external {
        // What a contract was told is complete when another one is asked.
        if (_access.validator() != address(this)) revert NotValidator();
        uint64 month = _requireMaintenance(nodeIds, firstEpoch, epochs);
        uint256 window_ = _windowOf(firstEpoch, epochs);
        for (uint256 i = 0; i < nodeIds.length; ++i) {
            uint256 windows = maintenanceWindows(msg.sender, nodeIds[i], month);
            _windows[msg.sender][nodeIds[i]][month] = _replace(windows, 0, window_) | TAKEN;
            _requireLittle(nodeIds[i], month);
            emit MaintenanceAnnounced(msg.sender, nodeIds[i], firstEpoch, epochs);
        }
    }

    function withdrawMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) external {
        uint64 month = _requireMaintenance(nodeIds, firstEpoch, epochs);
        uint256 window_ = _windowOf(firstEpoch, epochs);
        for (uint256 i = 0; i < nodeIds.length; ++i) {
            uint256 windows = maintenanceWindows(msg.sender, nodeIds[i], month);
            if (!_has(windows, window_)) revert NoMaintenance(nodeIds[i], firstEpoch, epochs);
            _windows[msg.sender][nodeIds[i]][month] = _replace(windows, window_, 0) | TAKEN;
            emit MaintenanceWithdrawn(msg.sender, nodeIds[i], firstEpoch, epochs);
        }
    }

    function maintenanceIn(address provider, uint64 nodeId, uint64 period) public view returns (uint256 bits) {
        uint256 start = (period % MONTH_PERIODS) * epochsPerPeriod;
        // It is 90.
        // forge-lint: disable-next-line(unsafe-typecast)
        uint256 windows = maintenanceWindows(provider, nodeId, period / uint64(MONTH_PERIODS));
        for (; windows != 0; windows >>= WINDOW_BITS) {
            uint256 low = (windows & WINDOW) >> 16;
            uint256 high = low + (windows & type(uint16).max);
            low = low <= start ? 0 : low - start;
            high = high <= start ? 0 : high - start;
            if (high > epochsPerPeriod) high = epochsPerPeriod;
            if (low < high) bits |= 2 ** high - 2 ** low;
        }
    }

    function maintenanceWindows(address provider, uint64 nodeId, uint64 month) public view returns (uint256 windows) {
        windows = _windows[provider][nodeId][month];
        if (windows != 0) return windows & ~TAKEN;
        if (address(predecessor) != address(0)) return predecessor.maintenanceWindows(provider, nodeId, month);
    }

    function maintenanceNotice() public view returns (uint256) {
        return NOTICE_PERIODS * _periodSeconds();
    }

    function _windowOf(uint64 firstEpoch, uint16 epochs) private view returns (uint256) {
        return ((firstEpoch % _monthEpochs()) << 16) | epochs;
    }

    function _has(uint256 windows, uint256 window_) private pure returns (bool) {
        for (; windows != 0; windows >>= WINDOW_BITS) {
            if (windows & WINDOW == window_) return true;
        }
        return false;
    }

    /// @dev Writes `next` to the first place that holds `old`, which may be the first one without a window.
    function _replace(uint256 windows, uint256 old, uint256 next) private view returns (uint256) {
        uint256 epochs = next & type(uint16).max;
        for (uint256 shift = 0; shift < MAX_WINDOWS * WINDOW_BITS; shift += WINDOW_BITS) {
            uint256 one = (windows >> shift) & WINDOW;
            if (one == old) return windows & ~(WINDOW << shift) | (next << shift);
            epochs += one & type(uint16).max;
        }
        revert TooMuchMaintenance(epochs, epochsPerPeriod, MAX_WINDOWS);
    }

    /// @dev At most a period in the 30 days that begin with a window: no other 30 days have more. Windows of other months reach as far as
    /// those before and after.
    function _requireLittle(uint64 nodeId, uint64 month) private view {
        uint256[2][] memory windows = new uint256[2][](3 * MAX_WINDOWS);
        uint256 count = 0;
        for (uint256 i = 0; i < 3; ++i) {
            uint256 offset = i * _monthEpochs();
            // Months are counted from 1970.
            // forge-lint: disable-next-line(unsafe-typecast)
            uint256 word = maintenanceWindows(msg.sender, nodeId, month + uint64(i) - 1);
            for (; word != 0; word >>= WINDOW_BITS) {
                uint256 low = offset + ((word & WINDOW) >> 16);
                windows[count++] = [low, low + (word & type(uint16).max)];
            }
        }
        for (uint256 i = 0; i < count; ++i) {
            uint256 from = windows[i][0];
            uint256 until = from + _monthEpochs();
            uint256 epochs = 0;
            for (uint256 j = 0; j < count; ++j) {
                uint256 low = Math.max(windows[j][0], from);
                epochs += Math.saturatingSub(Math.min(windows[j][1], until), low);
            }
            if (epochs > epochsPerPeriod) revert TooMuchMaintenance(epochs, epochsPerPeriod, MAX_WINDOWS);
        }
    }

    /// @dev An announcement is binding once its notice period has begun: nobody can first see whether the node goes down.
    function _requireMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) private view returns (uint64 month) {
        if (nodeIds.length > MAX_NODES) revert TooManyNodes(nodeIds.length, MAX_NODES);
        uint256 start = uint256(firstEpoch) * epochSeconds;
        uint256 earliest = block.timestamp + maintenanceNotice();
        if (start < earliest) revert MaintenanceTooSoon(firstEpoch, earliest);
        uint256 monthEpochs = _monthEpochs();
        bool isFar = start > block.timestamp + monthEpochs * epochSeconds;
        if (isFar || epochs == 0 || firstEpoch % monthEpochs + epochs > monthEpochs) revert MaintenanceOutOfMonth(firstEpoch, epochs);
        // Smaller than the epoch it is computed from.
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint64(firstEpoch / monthEpochs);
    }

    function _monthEpochs() private view returns (uint256) {
        return MONTH_PERIODS * epochsPerPeriod;
    }
}
