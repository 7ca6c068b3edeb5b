// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { LibBit } from "solady/utils/LibBit.sol";
import { Credit } from "./Credit.sol";
import { Maintenance } from "./findings/Maintenance.sol";
import { Validator } from "./findings/Validator.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IFindings } from "./interfaces/IFindings.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketLens } from "./interfaces/IMarketLens.sol";
import { IMarketState } from "./interfaces/IMarketState.sol";
import { IMonitors } from "./interfaces/IMonitors.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Attestations } from "./libraries/Attestations.sol";
import { Epochs } from "./libraries/Epochs.sol";
import { Reports } from "./libraries/Reports.sol";
import { Paced } from "./monitors/Paced.sol";
import { MONITORS_PER_NODE } from "./types/Constants.sol";

/// @title Findings
/// @dev See {IFindings}.
contract Findings is Maintenance, Validator {
    using Epochs for Epochs.Pace;
    using SafeCast for uint256;
    using SafeERC20 for Credit;

    /// @dev In periods: a day of three times eight hours.
    uint256 private constant SUBMIT_PERIODS = 3;
    /// @dev A period of eight hours divided by this is four hours.
    uint256 private constant CHALLENGES = 2;

    bytes32 private constant DEPLOYMENT_TYPEHASH =
        keccak256("Deployment(address market,uint64 orderId,bytes32 deployment,bytes32 spec,bytes32 image)");

    /// @dev One slot: the epochs that a monitor reported as down.
    struct Cast {
        address monitor;
        uint96 down;
    }

    /// @dev The votes that were submitted, of those drawn and of all others.
    struct Ballot {
        Cast[] drawn;
        Cast[] others;
    }

    IMonitors public immutable monitors;

    mapping(address market => mapping(uint64 orderId => mapping(uint64 period => Finding))) private _findings;
    mapping(address market => mapping(uint64 orderId => mapping(uint64 period => Ballot))) private _ballots;

    constructor(IMonitors monitors_, address rewarder_, IFindings predecessor_)
        Paced(monitors_.epochSeconds(), monitors_.epochsPerPeriod())
        Maintenance(monitors_.access(), predecessor_)
        Validator(rewarder_)
    {
        monitors = monitors_;
    }

    function submit(address market, uint64 orderId, uint64 period, IMonitors.Vote[] calldata votes) external {
        Finding storage finding = _findings[market][orderId][period];
        // Even the last finding can still be contested for half of the challenge period.
        _requireWindow(_revealed(period), finding.finalAt == 0 ? _closed(period) : finding.finalAt - challenge() / 2);
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        (address[] memory drawn, uint256 count) = monitors.drawOf(order.provider, order.nodeId, period);

        finding.candidates = count.toUint8();
        _castAll(market, orderId, period, order.provider, votes, drawn);
        uint256 down = _tally(finding, _ballots[market][orderId][period], period) & _served(period, order) & ~uint256(finding.contested);
        if (down & ~uint256(finding.down) == 0) revert NothingFound();

        finding.down = down.toUint96();
        _countAnnounced(finding, order, period);
        _found(finding, market, orderId, period);
    }

    function contest(address market, uint64 orderId, uint64 period, IMonitors.Vote[] calldata votes) external {
        Finding storage finding = _findings[market][orderId][period];
        uint96 down = finding.down;
        if (down == 0) revert NothingFound();
        _requireWindow(0, finding.finalAt);
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        (address[] memory drawn, uint256 count) = monitors.drawOf(order.provider, order.nodeId, period);
        uint256 quorum = neededToContest(count);
        if (votes.length < quorum) revert TooFewVotes(votes.length, quorum);

        uint96 void = _seenUp(market, orderId, period, order.provider, votes, drawn, new uint256[](quorum)).toUint96() & down;
        if (void == 0) revert IMonitors.NoContradiction();
        finding.contested |= void;
        finding.down = down & ~void;
        _countAnnounced(finding, order, period);
        emit Contested(market, orderId, period, void);
        if (finding.down | finding.proven == 0) emit FindingDropped(market, orderId, period);
        else emit Found(market, orderId, period, finding.down | finding.proven, finding.finalAt);
    }

    function proveWrongImage(address market, uint64 orderId, uint64 period, Deployment calldata deployment, Attested[] calldata attested)
        external
    {
        Finding storage finding = _findings[market][orderId][period];
        _requireWindow(_pace().endOf(period), finding.finalAt == 0 ? _closed(period) : finding.finalAt);
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        bytes32 promised =
            keccak256(abi.encode(DEPLOYMENT_TYPEHASH, market, orderId, deployment.deployment, deployment.spec, deployment.image));
        _requireOperator(market, order.provider, period, promised, deployment.signature);

        bytes memory head = Attestations.head(market, orderId, order.provider, order.nodeId);
        uint256 epochs = _attestedEpochs(head, market, order.provider, period, deployment, attested) & _served(period, order);
        if (epochs & ~uint256(finding.proven) == 0) revert NothingFound();

        finding.proven |= epochs.toUint96();
        _countAnnounced(finding, order, period);
        emit WrongImage(market, orderId, period, finding.proven, deployment.deployment);
        _found(finding, market, orderId, period);
    }

    function finish(address market, uint64 orderId, uint64 period) external {
        _finish(market, orderId, period);
    }

    function credit(address market, uint64 orderId, uint64 period) external {
        _finish(market, orderId, period);
        Downtime memory downtime = _downtimes[market][orderId];
        IMarket(market).creditDowntime(orderId, downtime.total, downtime.asOf, abi.encode(orderId, downtime.total, downtime.asOf));
    }

    function fund() external {
        Credit token = monitors.token();
        token.safeTransfer(address(monitors), token.balanceOf(address(this)));
    }

    function findingOf(address market, uint64 orderId, uint64 period) external view returns (Finding memory) {
        return _findings[market][orderId][period];
    }

    function challenge() public view returns (uint256) {
        return _periodSeconds() / CHALLENGES;
    }

    function needed(uint256 count) public pure returns (uint256) {
        return count < 4 ? 2 : count / 2 + 1;
    }

    function neededToContest(uint256 count) public pure returns (uint256) {
        return count < 3 ? 2 : count / 3 + 1;
    }

    /// @dev Each monitor once: it has one report of an order.
    function _castAll(
        address market,
        uint64 orderId,
        uint64 period,
        address provider,
        IMonitors.Vote[] calldata votes,
        address[] memory drawn
    ) private {
        Ballot storage ballot = _ballots[market][orderId][period];
        address before;
        for (uint256 i = 0; i < votes.length; ++i) {
            IMonitors.Vote calldata vote = votes[i];
            before = _requireOrder(before, vote.monitor);
            bool isDrawn = _contains(drawn, vote.monitor);
            // Before the draw nobody votes: who is drawn then would vote twice.
            bool mayVote = isDrawn || (drawn.length != 0 && _isWitness(vote.monitor, provider, period));
            if (!mayVote) revert NotAssigned(vote.monitor);
            _requireReported(market, orderId, period, vote);
            Cast[] storage cast = isDrawn ? ballot.drawn : ballot.others;
            if (!_isCast(cast, vote.monitor)) cast.push(Cast(vote.monitor, vote.report.down));
        }
    }

    /// @dev Epochs that as many witnesses saw up as `atLeast` has places.
    function _seenUp(
        address market,
        uint64 orderId,
        uint64 period,
        address provider,
        IMonitors.Vote[] calldata votes,
        address[] memory drawn,
        uint256[] memory atLeast
    ) private view returns (uint256) {
        address before;
        for (uint256 i = 0; i < votes.length; ++i) {
            IMonitors.Vote calldata vote = votes[i];
            before = _requireOrder(before, vote.monitor);
            if (!_isWitness(vote.monitor, provider, period) || _contains(drawn, vote.monitor)) revert NoWitness(vote.monitor);
            _requireReported(market, orderId, period, vote);
            _add(atLeast, i, vote.report.observed & ~vote.report.down);
        }
        return atLeast[atLeast.length - 1];
    }

    /// @dev Epochs that enough of those drawn mark as down, or enough of all. No more of those drawn are ever needed than of all.
    function _tally(Finding storage finding, Ballot storage ballot, uint64 period) private view returns (uint256 down) {
        uint256 candidates = finding.candidates;
        uint256[] memory atLeast = new uint256[](needed(candidates));
        uint256 counted = _count(atLeast, 0, ballot.drawn, period);
        down = atLeast[needed(Math.min(candidates, MONITORS_PER_NODE)) - 1];
        _count(atLeast, counted, ballot.others, period);
        down |= atLeast[atLeast.length - 1];
    }

    /// @dev Adds votes to `counted` others, without those of slashed monitors: `atLeast[n]` has the epochs that at least n + 1 mark.
    function _count(uint256[] memory atLeast, uint256 counted, Cast[] storage cast, uint64 period) private view returns (uint256) {
        for (uint256 i = 0; i < cast.length; ++i) {
            Cast memory vote = cast[i];
            if (monitors.isSlashed(vote.monitor, period)) continue;
            _add(atLeast, counted, vote.down);
            ++counted;
        }
        return counted;
    }

    /// @dev Adds the epochs that one more than `counted` marks.
    function _add(uint256[] memory atLeast, uint256 counted, uint256 epochs) private pure {
        for (uint256 n = Math.min(counted, atLeast.length - 1); n > 0; --n) {
            atLeast[n] |= atLeast[n - 1] & epochs;
        }
        atLeast[0] |= epochs;
    }

    function _finish(address market, uint64 orderId, uint64 period) private {
        Finding storage finding = _findings[market][orderId][period];
        if (finding.finalAt == 0 || block.timestamp < finding.finalAt) revert NotFinal(finding.finalAt);
        if (finding.counted) revert FindingIsFinal();
        _recount(finding, market, orderId, period);
        uint256 down = finding.down | finding.proven;
        if (down == 0) {
            // Other votes may still be submitted; contested epochs stay contested.
            finding.finalAt = 0;
            emit FindingDropped(market, orderId, period);
            return;
        }

        finding.counted = true;
        Downtime storage downtime = _downtimes[market][orderId];
        uint40 end = uint40(_pace().endOf(period));
        if (downtime.asOf == 0) _takeOver(downtime, market, orderId);
        if (end <= downtime.since) revert FindingIsFinal();
        // At most 96 epochs of 300 seconds in each period of an order.
        // forge-lint: disable-next-line(unsafe-typecast)
        downtime.total += uint32(LibBit.popCount(down) * epochSeconds);
        if (end > downtime.asOf) downtime.asOf = end;
        if (finding.announced != 0) {
            // forge-lint: disable-next-line(unsafe-typecast)
            downtime.maintenance += uint32(finding.announced * epochSeconds);
            emit MaintenanceFinal(market, orderId, period, downtime.maintenance);
        }
        emit DowntimeFinal(market, orderId, period, downtime.total, downtime.asOf);
    }

    /// @dev The Market counts from the activation on, whoever reports. Nobody can take over before this contract is asked.
    function _takeOver(Downtime storage downtime, address market, uint64 orderId) private {
        if (IAccess(IMarketState(market).access()).validator() != address(this)) revert NotValidator();
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        (downtime.total, downtime.before, downtime.since) = (order.down, order.down, order.reportedUntil);
        downtime.maintenance = IMarketLens(market).maintenanceOf(orderId);
    }

    /// @dev Without the votes of those who were slashed over this period since: as if they had not been given.
    function _recount(Finding storage finding, address market, uint64 orderId, uint64 period) private {
        uint96 before = finding.down;
        if (before == 0) return;
        uint96 down = (_tally(finding, _ballots[market][orderId][period], period) & before).toUint96();
        if (down == before) return;
        finding.down = down;
        _countAnnounced(finding, IMarketLens(market).getOrder(orderId), period);
    }

    /// @dev Only downtime that monitors observed: running another image is not maintenance.
    function _countAnnounced(Finding storage finding, IMarket.Order memory order, uint64 period) private {
        uint256 down = finding.down & ~finding.proven;
        uint256 announced = LibBit.popCount(down & maintenanceIn(order.provider, order.nodeId, period));
        if (announced != finding.announced) finding.announced = announced.toUint8();
    }

    /// @dev Nothing can be contested before roots are revealed, so the challenge of a finding by proof alone begins only then, leaving time
    /// for votes too.
    function _found(Finding storage finding, address market, uint64 orderId, uint64 period) private {
        if (finding.finalAt == 0) {
            uint256 revealed = _revealed(period);
            finding.finalAt = ((block.timestamp < revealed ? revealed : block.timestamp) + challenge()).toUint40();
        }
        emit Found(market, orderId, period, finding.down | finding.proven, finding.finalAt);
    }

    /// @dev When voting opens: roots have been committed to and revealed.
    function _revealed(uint64 period) private view returns (uint256) {
        return _pace().endOf(period) + 2 * _window();
    }

    /// @dev When an order without a finding in this period can no longer get one.
    function _closed(uint64 period) private view returns (uint256) {
        return _revealed(period) + SUBMIT_PERIODS * _periodSeconds();
    }

    /// @dev The epochs of a period that lie within the order.
    function _served(uint64 period, IMarket.Order memory order) private view returns (uint256) {
        return _pace().within(period, order.activateTime, order.activateTime + order.duration);
    }

    /// @dev The epochs in which another image was attested. `head` is the common prefix of what the operator signed.
    function _attestedEpochs(
        bytes memory head,
        address market,
        address provider,
        uint64 period,
        Deployment calldata deployment,
        Attested[] calldata attested
    ) private view returns (uint256 epochs) {
        for (uint256 i = 0; i < attested.length; ++i) {
            Attested calldata one = attested[i];
            if (one.epoch >= epochsPerPeriod || one.image == deployment.image) revert IMonitors.NoContradiction();
            uint256 epoch = _pace().first(period) + one.epoch;
            bytes32 hash = Attestations.hashOf(head, epoch, one.beacon, one.healthy, deployment.deployment, one.image, one.monitor);
            _requireOperator(market, provider, period, hash, one.signature);
            epochs |= uint256(1) << one.epoch;
        }
    }

    /// @dev A signature by the operator's key counts as the provider's, also after it was replaced, and so does one by the provider's own.
    function _requireOperator(address market, address provider, uint64 period, bytes32 structHash, bytes calldata signature) private view {
        address signer = monitors.signerOf(structHash, signature);
        bool isOwn = IRegistry(IMarketState(market).registry()).signsFor(provider, signer, _pace().startOf(period));
        if (!isOwn) revert IMonitors.BadSignature();
    }

    function _requireReported(address market, uint64 orderId, uint64 period, IMonitors.Vote calldata vote) private view {
        Reports.requireUnder(monitors.votingRootOf(vote.monitor, period), market, orderId, period, vote);
    }

    /// @dev Whether it may tell what it saw of a node of this provider: a provider is no witness for itself.
    function _isWitness(address monitor, address provider, uint64 period) private view returns (bool) {
        return monitor != provider && monitors.monitorsThrough(monitor, period);
    }

    function _requireOrder(address before, address monitor) private pure returns (address) {
        if (monitor <= before) revert UnorderedVotes();
        return monitor;
    }

    function _isCast(Cast[] storage cast, address monitor) private view returns (bool) {
        for (uint256 i = 0; i < cast.length; ++i) {
            if (cast[i].monitor == monitor) return true;
        }
        return false;
    }

    function _contains(address[] memory accounts, address account) private pure returns (bool) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (accounts[i] == account) return true;
        }
        return false;
    }
}
