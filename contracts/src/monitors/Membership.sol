// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { LibBit } from "solady/utils/LibBit.sol";
import { Credit } from "../Credit.sol";
import { IMonitors } from "../interfaces/IMonitors.sol";
import { Epochs } from "../libraries/Epochs.sol";

/// @title Membership
/// @notice The monitors, their bonds and since when they monitor, and the pace at which all of them count time.
abstract contract Membership is IMonitors {
    using Epochs for Epochs.Pace;
    using SafeCast for uint256;
    using SafeERC20 for Credit;

    uint256 public constant MIN_BOND = 1000 ether;
    uint256 public constant MAX_MONITORS = 64;
    uint256 public constant LEAVE_DELAY = 14 days;
    uint256 private constant MAX_URL = 128;
    uint256 private constant MAX_EPOCH_SECONDS = 5 minutes;
    uint256 private constant MAX_EPOCHS = 96;
    /// @dev A period divided by these is an hour, or four hours, of eight.
    uint256 private constant WINDOWS = 8;
    uint256 private constant CHALLENGES = 2;

    Credit public immutable token;
    uint256 public immutable epochSeconds;
    uint256 public immutable epochsPerPeriod;

    mapping(address monitor => string) public urlOf;

    address[] internal _monitors;
    uint64 private _indices;
    /// @dev The part of this contract's Credit that belongs to somebody: bonds, and unpaid earnings. The rest is the pool.
    uint256 internal _owed;
    mapping(address account => Monitor) internal _monitorOf;

    constructor(address token_, uint256 epochSeconds_, uint256 epochsPerPeriod_) {
        if (epochSeconds_ == 0 || epochSeconds_ > MAX_EPOCH_SECONDS) revert PaceOutOfBounds();
        if (epochsPerPeriod_ == 0 || epochsPerPeriod_ > MAX_EPOCHS || epochsPerPeriod_ % WINDOWS != 0) revert PaceOutOfBounds();
        token = Credit(token_);
        epochSeconds = epochSeconds_;
        epochsPerPeriod = epochsPerPeriod_;
    }

    function join(uint256 bond) external {
        if (_monitorOf[msg.sender].bond != 0) revert AlreadyMonitor(msg.sender);
        if (bond < MIN_BOND) revert BondTooLow(bond, MIN_BOND);
        uint256 index = LibBit.ffs(~uint256(_indices));
        if (index >= MAX_MONITORS) revert TooManyMonitors(MAX_MONITORS);

        _indices |= _bit(index);
        _monitors.push(msg.sender);
        _owed += bond;
        _monitorOf[msg.sender] = Monitor(bond.toUint128(), uint40(block.timestamp), 0, index.toUint8());
        emit MonitorJoined(msg.sender, bond);

        token.safeTransferFrom(msg.sender, address(this), bond);
    }

    function announce(string calldata url) external {
        _active(msg.sender);
        if (bytes(url).length > MAX_URL) revert UrlTooLong(bytes(url).length, MAX_URL);

        urlOf[msg.sender] = url;
        emit MonitorAnnounced(msg.sender, url);
    }

    function resign() external {
        Monitor storage monitor = _active(msg.sender);

        monitor.leftAt = uint40(block.timestamp);
        emit MonitorLeft(msg.sender, (block.timestamp + LEAVE_DELAY).toUint40());
    }

    function takeBond() external returns (uint256 amount) {
        Monitor storage monitor = _monitorOf[msg.sender];
        amount = monitor.bond;
        if (amount == 0) revert NotMonitor(msg.sender);
        uint40 until = monitor.leftAt == 0 ? type(uint40).max : (monitor.leftAt + LEAVE_DELAY).toUint40();
        if (block.timestamp < until) revert StillBonded(until);

        _remove(msg.sender, monitor.index);
        emit BondReturned(msg.sender, amount);

        token.safeTransfer(msg.sender, amount);
    }

    function monitorOf(address account) external view returns (Monitor memory) {
        return _monitorOf[account];
    }

    function monitors() external view returns (address[] memory) {
        return _monitors;
    }

    function window() public view returns (uint256) {
        return _periodSeconds() / WINDOWS;
    }

    function challenge() public view returns (uint256) {
        return _periodSeconds() / CHALLENGES;
    }

    function _remove(address account, uint8 index) internal {
        _owed -= _monitorOf[account].bond;
        delete _monitorOf[account];
        delete urlOf[account];
        _indices &= ~_bit(index);
        uint256 last = _monitors.length - 1;
        for (uint256 i = 0; i <= last; ++i) {
            if (_monitors[i] != account) continue;
            _monitors[i] = _monitors[last];
            _monitors.pop();
            return;
        }
    }

    function _active(address account) internal view returns (Monitor storage monitor) {
        monitor = _monitorOf[account];
        if (monitor.bond == 0 || monitor.leftAt != 0) revert NotMonitor(account);
    }

    function _monitorsThrough(address account, uint64 period) internal view returns (bool) {
        Monitor storage monitor = _monitorOf[account];
        return monitor.bond != 0 && monitor.joinedAt <= _pace().startOf(period)
            && (monitor.leftAt == 0 || monitor.leftAt >= _pace().endOf(period));
    }

    function _pace() internal view returns (Epochs.Pace memory) {
        return Epochs.Pace(epochSeconds, epochsPerPeriod);
    }

    function _periodSeconds() internal view returns (uint256) {
        return epochSeconds * epochsPerPeriod;
    }

    function _bit(uint256 index) internal pure returns (uint64) {
        return (uint256(1) << index).toUint64();
    }
}
