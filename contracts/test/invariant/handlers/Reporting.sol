// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { Statements } from "./Statements.sol";

/// @notice Watchers who commit, reveal and earn. Lies are decided when a root is committed to; whoever tells the truth acknowledges only
/// epochs in which the order was up.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
abstract contract Reporting is Statements {
    /// @notice The whole of a period from its end to its votes.
    function _report(uint256 seed) internal {
        vm.warp((_now() / PERIOD + 1) * PERIOD);
        _commit(seed);
        vm.roll(vm.getBlockNumber() + 5);
        vm.warp(_now() / WINDOW * WINDOW + WINDOW);
        _reveal(seed >> 8);
        vm.warp(_now() + WINDOW);
    }

    /// @notice Most commit, beginning with any of them; a third of them lies, and liars agree.
    function _commit(uint256 seed) private {
        uint64 period = _lastPeriod();
        bool isOpen = _now() < _endOf(period) + WINDOW;
        bytes32[] memory roots = new bytes32[](ACTIVE);
        address[][2] memory plotters = _plotters(period);
        for (uint256 i = 0; i < ACTIVE; ++i) {
            // One report of a period is enough: a second commitment would only replace what the model knows.
            if (_committed[people[i]][period] != 0) continue;
            roots[i] = _decide(people[i], period, uint256(keccak256(abi.encode(seed, i))), plotters);
        }
        if (isOpen && seed % 4 == 0) _requireTheSameDraw(period, seed, roots);
        for (uint256 n = 0; n < ACTIVE; ++n) {
            uint256 i = (seed % ACTIVE + n) % ACTIVE;
            if ((seed >> (16 + i)) % 16 == 0 || roots[i] == 0) continue;
            if (_commits(people[i], period, roots[i], isOpen && isActive(people[i]))) _committed[people[i]][period] = roots[i];
        }
    }

    function _reveal(uint256 seed) private {
        uint64 period = _lastPeriod();
        uint256 end = _endOf(period);
        bool isOpen = _now() >= end + WINDOW && _now() < end + 2 * WINDOW;
        for (uint256 i = 0; i < ACTIVE; ++i) {
            address account = people[i];
            bytes32 root = _committed[account][period];
            if (root == 0 || (seed >> (16 + 3 * i)) % 16 == 0) continue;
            bool may = isOpen && !_revealed[account][period];
            if (_calls(account, may, abi.encodeCall(IMonitors.reveal, (period, root, SALT)), "reveal")) _revealed[account][period] = true;
        }
    }

    function _draw(uint256 back) internal {
        uint64 period = _lastPeriod() + 2 - uint64(back % 3);
        uint256 drawBlock = monitors.drawBlockOf(period);
        bool may = drawBlock != 0 && vm.getBlockNumber() > drawBlock;
        _calls(_stranger, may, abi.encodeCall(IMonitors.draw, (period)), "draw");
    }

    /// @notice Whoever shows the attestation of its sample is paid the same as the first one, whatever it reported.
    function _earn(uint256 who, uint256 back) internal {
        address account = people[who % ACTIVE];
        uint64 period = _lastPeriod() - uint64(back % 5);
        bytes32 beacon = monitors.beaconOf(period + 3);
        if (beacon == 0) return;
        uint256 order = _sampled(keccak256(abi.encode("sample", beacon, account, uint256(0))));
        Told memory told = _told[account][period][order];
        uint96 up = told.observed & ~told.down;
        bool may = _revealed[account][period] && !_slashed[account][period] && !_paid[account][period] && up != 0
            && _providers[order] != account && bondOf[account] != 0 && _lastTerm(account).from <= _endOf(period) - PERIOD
            && _now() < _endOf(period) + 4 * PERIOD;
        IMonitors.Sample[] memory samples = new IMonitors.Sample[](1);
        samples[0] = _sample(account, period, order, beacon, up);
        if (_payOf[period] == 0) _payOf[period] = may ? pool / (90 * _max(1, monitors.monitors().length)) : 0;
        if (!_calls(account, may, abi.encodeCall(IMonitors.earn, (period, samples)), "earn")) return;
        _paid[account][period] = true;
        earnedOf[account] += _payOf[period];
        pool -= _payOf[period];
        ++payments;
    }

    /// @dev In some periods those who are drawn lie together, and nobody else does.
    function _plotters(uint64 period) private view returns (address[][2] memory plotters) {
        for (uint256 order = 0; order < 2; ++order) {
            if (_isPlotted(period)) plotters[order] = monitors.assigned(_providers[order], _nodeIds[order], period);
        }
    }

    function _isPlotted(uint64 period) internal pure returns (bool) {
        return uint256(keccak256(abi.encode("plot", period))) % 3 == 0;
    }

    /// @dev The truth is the same for all, also for those who saw only a part of it.
    function _decide(address account, uint64 period, uint256 seed, address[][2] memory plotters) private returns (bytes32) {
        _ackKey[account][period] = _key(account, lastKeyOf[account]);
        for (uint256 order = 0; order < 2; ++order) {
            bool isLiar = _isPlotted(period) ? _isDrawn(plotters[order], account) : seed % 3 == 0;
            uint96 truth = truthOf(order, period);
            uint96 observed = (seed >> 8) % 4 == 0 ? uint96(seed >> 16) & ALL : ALL;
            uint96 lie = isLiar ? uint96(uint256(keccak256(abi.encode("lie", order, period)))) & ALL : 0;
            // Some say of a machine that is up that it is away; others say the contrary.
            bool isDenial = isLiar && !_isPlotted(period) && (seed >> 10) % 2 == 0;
            uint96 down = isDenial ? 0 : (truth | lie) & observed;
            _told[account][period][order] = Told(uint64(observed), uint64(down), uint64(observed & ~truth), 0);
        }
        return _rootOf(0, _leaf(0, period, _told[account][period][0]), _siblings(_leaf(1, period, _told[account][period][1])));
    }

    function truthOf(uint256 order, uint64 period) public pure returns (uint96 down) {
        if (_isPlotted(period)) return 0;
        uint256 seed = uint256(keccak256(abi.encode("truth", order, period)));
        return seed % 3 == 0 ? 0 : uint96(seed >> 8) & ALL;
    }

    /// @dev Whoever commits first, and to whatever: the block after next is what draws, and nobody knows its hash.
    function _requireTheSameDraw(uint64 period, uint256 seed, bytes32[] memory roots) private {
        if (monitors.drawBlockOf(period + 2) != 0) return;
        bytes32 seen;
        uint256 tried;
        for (uint256 n = 0; n < ACTIVE && tried < 2; ++n) {
            uint256 i = ((seed >> 8) + n) % ACTIVE;
            if (!isActive(people[i])) continue;
            ++tried;
            uint256 state = vm.snapshotState();
            _commits(people[i], period, roots[i], true);
            assertGt(monitors.drawBlockOf(period + 2), vm.getBlockNumber(), "the block that draws is not there yet");
            vm.roll(monitors.drawBlockOf(period + 2) + 1);
            monitors.draw(period + 2);
            bytes32 beacon = monitors.beaconOf(period + 2);
            vm.revertToState(state);
            assertTrue(beacon != 0 && (seen == 0 || seen == beacon), "the draw depends on who commits first");
            if (seen != 0) ++redraws;
            seen = beacon;
        }
    }

    function _commits(address account, uint64 period, bytes32 root, bool may) private returns (bool) {
        bytes32 commitment = keccak256(abi.encode(account, period, root, SALT));
        return _calls(account, may, abi.encodeCall(IMonitors.commit, (period, commitment)), "commit");
    }
}
