// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { Watchers } from "./Watchers.sol";

/// @notice Watchers whose reports become findings: anybody submits votes, contests with witnesses and finishes. Votes are counted here by a
/// list of who voted, epoch by epoch.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract Jury is Watchers {
    /// @dev What the model knows of an order's finding in a period.
    struct Verdict {
        bool isKnown;
        bytes32 drawn;
        uint96 contested;
    }

    mapping(uint256 order => mapping(uint64 period => Verdict)) internal _verdicts;
    mapping(uint256 order => mapping(uint64 period => mapping(address monitor => bool))) internal _voted;
    mapping(uint256 order => uint64[]) internal _periods;
    /// @notice By order: seconds of all findings that were counted, and the end of the newest.
    mapping(uint256 order => uint256) public counted;
    mapping(uint256 order => uint256) public asOf;
    uint256 public steps;
    uint256 public found;
    uint256 public contests;
    /// @notice Contests that left a part of what was found.
    uint256 public partly;
    uint256 public finished;
    uint256 public dropped;
    uint256 public recounted;
    /// @notice Findings in which most of all outvoted those drawn.
    uint256 public outvoted;

    constructor(Cast memory cast) Watchers(cast) { }

    /// @notice One step of anybody; what is frequent here is what changes most.
    function play(uint256 seed) external {
        ++steps;
        vm.roll(vm.getBlockNumber() + 1);
        (uint256 a, uint256 b) = (uint256(keccak256(abi.encode(seed, 1))), uint256(keccak256(abi.encode(seed, 2))));
        uint256 pick = uint256(keccak256(abi.encode(seed))) % 128;
        if (pick < 2) _passSeconds(a);
        else if (pick < 8) _passWindow(a);
        else if (pick < 10) _passDays(a);
        else if (pick < 19) join(a, b);
        else if (pick < 20) _resign(a);
        else if (pick < 23) _takeBond(a);
        else if (pick < 26) _nameKey(a);
        else if (pick < 28) _takePay(a);
        else if (pick < 30) donate(a);
        else if (pick < 46) _report(a);
        else if (pick < 49) _draw(a);
        else if (pick < 58) _earn(a, b);
        else if (pick < 70) _accuse(a, b % 2 == 0 ? 0 : b, a >> 128);
        else if (pick < 94) _submit(a, b);
        else if (pick < 112) _contest(a, b);
        else _finish(a, b);
    }

    /// @notice Some of those drawn vote, and now and then all others; or somebody who may not, or one of them twice.
    function _submit(uint256 seed, uint256 back) private {
        (uint256 order, uint64 period) = (seed % 2, _lastPeriod() - uint64(back % 8 < 4 ? 0 : back % 4));
        address[] memory drawn = _drawn(order, period);
        (IMonitors.Vote[] memory votes, bool mayVote) = _votes(order, period, drawn, seed >> 8);
        IFindings.Finding memory finding = _finding(order, period);
        uint96 down = _tally(order, period, votes, drawn) & ~finding.contested;
        bool may = mayVote && _isOpen(period, finding.finalAt) && down & ~finding.down != 0;
        if (!_findings(may, abi.encodeCall(IFindings.submit, (_market, orderIds[order], period, votes)), "submit")) return;
        Verdict storage verdict = _verdicts[order][period];
        if (!verdict.isKnown) {
            (verdict.isKnown, verdict.drawn) = (true, keccak256(abi.encode(drawn)));
            _periods[order].push(period);
        }
        for (uint256 i = 0; i < votes.length; ++i) {
            _voted[order][period][votes[i].monitor] = true;
        }
        assertEq(_finding(order, period).down, down, "a vote counts once");
        if (_ofDrawn(order, period, drawn) & down != down) ++outvoted;
        ++found;
    }

    /// @notice All who watched the period, were not drawn and saw the order up in some of these epochs: enough of them, or one fewer.
    function _contest(uint256 seed, uint256 back) private {
        (uint256 order, uint64 period) = (seed % 2, _lastPeriod() - uint64(back % 4));
        for (uint256 i = 0; i < _periods[order].length && seed % 8 > 1; ++i) {
            uint64 one = _periods[order][i];
            if (_isPlotted(one) && _finding(order, one).finalAt > _now() && _finding(order, one).down != 0) period = one;
        }
        IFindings.Finding memory finding = _finding(order, period);
        (IMonitors.Vote[] memory votes, uint256 quorum) = _witnesses(order, period, finding.down);
        if (seed % 16 == 2 && votes.length >= quorum) _shorten(votes, quorum - 1);
        uint96 void = _seenUp(votes, quorum) & finding.down;
        bool may = void != 0 && _now() < finding.finalAt && votes.length >= quorum;
        if (!_findings(may, abi.encodeCall(IFindings.contest, (_market, orderIds[order], period, votes)), "contest")) return;
        _verdicts[order][period].contested |= void;
        assertEq(_finding(order, period).down, finding.down & ~void, "only what enough saw up is void");
        ++contests;
        if (void != finding.down) ++partly;
    }

    function _finish(uint256 seed, uint256 back) private {
        uint256 order = seed % 2;
        uint64 period = _lastPeriod() - uint64(back % 6);
        // A finding that waits is looked for: few periods have one.
        for (uint256 i = 0; i < _periods[order].length && seed % 8 > 1; ++i) {
            IFindings.Finding memory one = _finding(order, _periods[order][i]);
            if (one.finalAt != 0 && !one.counted) period = _periods[order][i];
        }
        IFindings.Finding memory finding = _finding(order, period);
        bool may = finding.finalAt != 0 && _now() >= finding.finalAt && !finding.counted;
        if (!_findings(may, abi.encodeCall(IFindings.finish, (_market, orderIds[order], period)), "finish")) return;

        uint96 down = _tally(order, period, new IMonitors.Vote[](0), _drawn(order, period)) & finding.down;
        if (down != finding.down) ++recounted;
        assertEq(_finding(order, period).down, down, "votes are recounted without the slashed");
        if (down == 0) {
            assertEq(_finding(order, period).finalAt, 0, "nothing was found");
            ++dropped;
            return;
        }
        counted[order] += LibBit.popCount(down) * EPOCH;
        assertGe(findings.downtimeOf(_market, orderIds[order]).asOf, asOf[order], "asOf only grows");
        asOf[order] = _max(asOf[order], _endOf(period));
        ++finished;
    }

    /// @notice What holds of every finding, whatever was called.
    function requireFindings() external view {
        for (uint256 order = 0; order < 2; ++order) {
            uint256 sum;
            for (uint256 i = 0; i < _periods[order].length; ++i) {
                uint64 period = _periods[order][i];
                IFindings.Finding memory finding = _finding(order, period);
                assertEq(finding.down & finding.contested, 0, "what is found was not contested");
                assertEq(finding.contested, _verdicts[order][period].contested, "what was contested stays so");
                assertEq(_verdicts[order][period].drawn, keccak256(abi.encode(_drawn(order, period))), "a draw of the past changed");
                if (finding.counted) sum += LibBit.popCount(finding.down) * EPOCH;
            }
            IFindings.Downtime memory downtime = findings.downtimeOf(_market, orderIds[order]);
            assertEq(downtime.total, counted[order], "a finding counts once");
            assertEq(downtime.total, sum, "what was counted does not change");
            assertEq(downtime.asOf, asOf[order], "reported up to the newest finding");
        }
    }

    /// @dev Epochs that more than half of those drawn, and at least two, reported as down, or more than half of all, without those who were
    /// slashed for this period.
    function _tally(uint256 order, uint64 period, IMonitors.Vote[] memory votes, address[] memory drawn)
        private
        view
        returns (uint96 down)
    {
        uint256[EPOCHS] memory ofDrawn;
        uint256[EPOCHS] memory ofAll;
        for (uint256 i = 0; i < ACTIVE; ++i) {
            address account = people[i];
            if (_slashed[account][period] || !(_voted[order][period][account] || _isAmong(votes, account))) continue;
            bool isDrawn = _isDrawn(drawn, account);
            for (uint256 epoch = 0; epoch < EPOCHS; ++epoch) {
                uint256 vote = (_told[account][period][order].down >> epoch) & 1;
                ofAll[epoch] += vote;
                if (isDrawn) ofDrawn[epoch] += vote;
            }
        }
        uint256 all = _candidates(order, period);
        for (uint256 epoch = 0; epoch < EPOCHS; ++epoch) {
            bool isFound = ofDrawn[epoch] >= 2 && 2 * ofDrawn[epoch] > drawn.length;
            if (isFound || ofAll[epoch] >= 2 && 2 * ofAll[epoch] > all) down |= uint96(1) << uint96(epoch);
        }
    }

    /// @dev The most that those drawn could have found, whoever of them votes.
    function _ofDrawn(uint256 order, uint64 period, address[] memory drawn) private view returns (uint96 down) {
        for (uint256 epoch = 0; epoch < EPOCHS; ++epoch) {
            uint256 count;
            for (uint256 i = 0; i < drawn.length; ++i) {
                if (_counts(drawn[i], period)) count += (_told[drawn[i]][period][order].down >> epoch) & 1;
            }
            if (count >= 2 && 2 * count > drawn.length) down |= uint96(1) << uint96(epoch);
        }
    }

    /// @dev Epochs that so many of these saw up.
    function _seenUp(IMonitors.Vote[] memory votes, uint256 quorum) private pure returns (uint96 up) {
        for (uint256 epoch = 0; epoch < EPOCHS; ++epoch) {
            uint256 count;
            for (uint256 i = 0; i < votes.length; ++i) {
                count += ((votes[i].report.observed & ~votes[i].report.down) >> epoch) & 1;
            }
            if (count >= quorum) up |= uint96(1) << uint96(epoch);
        }
    }

    /// @dev Who watched the period and does not sell the machine.
    function _candidates(uint256 order, uint64 period) private view returns (uint256 count) {
        for (uint256 i = 0; i < people.length; ++i) {
            if (people[i] != _providers[order] && monitored(people[i], period)) ++count;
        }
    }

    function _mayVote(uint256 order, uint64 period, address account) private view returns (bool) {
        return account != _providers[order] && monitored(account, period) && monitors.monitorsThrough(account, period);
    }

    function _votes(uint256 order, uint64 period, address[] memory drawn, uint256 seed)
        private
        view
        returns (IMonitors.Vote[] memory votes, bool may)
    {
        votes = new IMonitors.Vote[](ACTIVE + 1);
        uint256 count;
        for (uint256 i = 0; i < drawn.length; ++i) {
            if ((seed >> i) % 2 == 0 && (seed >> 8) % 4 == 0 || !_counts(drawn[i], period)) continue;
            votes[count++] = _vote(drawn[i], period, order);
        }
        for (uint256 i = 0; i < ACTIVE && drawn.length != 0 && (seed >> 24) % 4 == 0; ++i) {
            address one = people[i];
            if (!_isDrawn(drawn, one) && _mayVote(order, period, one) && _counts(one, period)) votes[count++] = _vote(one, period, order);
        }
        may = count != 0;
        address other = people[(seed >> 16) % ACTIVE];
        if (
            (seed >> 12) % 8 == 0
                && (_isAmong(votes, other) || drawn.length == 0 || !_mayVote(order, period, other) || !_counts(other, period))
        ) {
            votes[count++] = _vote(other, period, order);
            may = false;
        }
        if ((seed >> 14) % 16 == 0 && count != 0) {
            // Not what it revealed.
            votes[0].report.down ^= 1;
            may = false;
        }
        _shorten(votes, count);
        _sort(votes);
    }

    function _witnesses(uint256 order, uint64 period, uint96 down) private view returns (IMonitors.Vote[] memory votes, uint256 quorum) {
        address[] memory drawn = _drawn(order, period);
        votes = new IMonitors.Vote[](ACTIVE);
        uint256 count;
        for (uint256 i = 0; i < ACTIVE; ++i) {
            address account = people[i];
            if (!_mayVote(order, period, account) || _isDrawn(drawn, account) || !_counts(account, period)) continue;
            IMonitors.Vote memory vote = _vote(account, period, order);
            if (vote.report.observed & ~vote.report.down & down != 0) votes[count++] = vote;
        }
        _shorten(votes, count);
        _sort(votes);
        // More than a third of them, and at least two.
        quorum = _max(2, _candidates(order, period) / 3 + 1);
    }

    function _counts(address account, uint64 period) private view returns (bool) {
        return _revealed[account][period] && !_slashed[account][period];
    }

    function _isOpen(uint64 period, uint40 finalAt) private view returns (bool) {
        uint256 from = _endOf(period) + 2 * WINDOW;
        return _now() >= from && _now() < (finalAt == 0 ? from + 3 * PERIOD : finalAt - PERIOD / 4);
    }

    /// @dev Five of those who held a place through the period, or all if there are fewer; never the provider.
    function _drawn(uint256 order, uint64 period) private view returns (address[] memory drawn) {
        drawn = monitors.assigned(_providers[order], _nodeIds[order], period);
        uint256 candidates = _candidates(order, period);
        bool isDrawn = monitors.beaconOf(period) != 0;
        assertEq(drawn.length, !isDrawn ? 0 : candidates < 5 ? candidates : 5, "as many are drawn as there are, up to five");
        for (uint256 i = 0; i < drawn.length; ++i) {
            assertTrue(drawn[i] != _providers[order] && monitored(drawn[i], period), "who is drawn watched the period");
        }
    }

    function _finding(uint256 order, uint64 period) private view returns (IFindings.Finding memory) {
        return findings.findingOf(_market, orderIds[order], period);
    }

    function _findings(bool may, bytes memory data, string memory what) private returns (bool) {
        return _calls(address(findings), _stranger, may, data, what);
    }

    function _isAmong(IMonitors.Vote[] memory votes, address account) private pure returns (bool) {
        for (uint256 i = 0; i < votes.length; ++i) {
            if (votes[i].monitor == account) return true;
        }
        return false;
    }

    function _sort(IMonitors.Vote[] memory votes) private pure {
        for (uint256 i = 1; i < votes.length; ++i) {
            for (uint256 j = i; j > 0 && votes[j].monitor < votes[j - 1].monitor; --j) {
                (votes[j], votes[j - 1]) = (votes[j - 1], votes[j]);
            }
        }
    }

    function _shorten(IMonitors.Vote[] memory votes, uint256 count) private pure {
        assembly ("memory-safe") {
            mstore(votes, count)
        }
    }
}
