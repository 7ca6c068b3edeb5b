// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { EIP712 } from "solady/utils/EIP712.sol";
import { LibBit } from "solady/utils/LibBit.sol";
import { ECDSA } from "solady/utils/ECDSA.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { Credit } from "./Credit.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketLens } from "./interfaces/IMarketLens.sol";
import { IMarketState } from "./interfaces/IMarketState.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Epochs } from "./libraries/Epochs.sol";
import { ReportTree } from "./libraries/ReportTree.sol";
import { Maintenance } from "./monitors/Maintenance.sol";
import { Membership } from "./monitors/Membership.sol";
import { Pay } from "./monitors/Pay.sol";

/// @title Monitors
/// @dev See {IMonitors}.
contract Monitors is Maintenance, Pay, EIP712 {
    using Epochs for Epochs.Pace;
    using SafeCast for uint256;
    using SafeERC20 for Credit;

    uint256 public constant ASSIGNED = 5;
    /// @dev In periods: a day of three times eight hours.
    uint256 private constant SUBMIT_PERIODS = 3;
    /// @dev Blocks from the first commitment to the block that draws: whoever commits first cannot know its hash.
    uint256 private constant DRAW_DELAY = 4;
    /// @dev Where a chain keeps the last 8,191 block hashes (EIP-2935); calling it returns nothing on others.
    address private constant BLOCK_HASHES = 0x0000F90827F1C53a10cb7A02335B175320002935;

    bytes32 private constant ACKNOWLEDGEMENT_TYPEHASH =
        keccak256("Acknowledgement(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch)");
    bytes32 private constant ATTESTATION_TYPEHASH = keccak256(
        "Attestation(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch,bytes32 beacon,bool healthy,bytes32 deployment,bytes32 image)"
    );
    bytes32 private constant DEPLOYMENT_TYPEHASH =
        keccak256("Deployment(address market,uint64 orderId,bytes32 deployment,bytes32 spec,bytes32 image)");
    bytes32 private constant DOWNTIME_TYPEHASH = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
    bytes32 private constant WITHDRAW_TYPEHASH = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    address public immutable rewarder;

    mapping(uint64 period => bytes32) public beaconOf;
    mapping(uint64 period => uint256) public drawBlockOf;
    mapping(address monitor => mapping(uint64 period => bytes32)) public commitmentOf;
    mapping(address monitor => mapping(uint64 period => bytes32)) public rootOf;

    /// @dev Indices of monitors slashed over this period, as a bitmap.
    mapping(uint64 period => uint64) private _slashed;
    mapping(address market => mapping(uint64 orderId => mapping(uint64 period => Finding))) private _findings;
    mapping(address market => mapping(uint64 orderId => Downtime)) private _downtimes;

    constructor(address token_, address rewarder_, uint256 epochSeconds_, uint256 epochsPerPeriod_)
        Membership(token_, epochSeconds_, epochsPerPeriod_)
    {
        rewarder = rewarder_;
    }

    function commit(uint64 period, bytes32 commitment) external {
        _active(msg.sender);
        uint256 end = _pace().endOf(period);
        _requireWindow(end, end + window());
        if (drawBlockOf[period + 2] == 0) _announceDraw(period + 2);
        else _draw(period + 2);

        commitmentOf[msg.sender][period] = commitment;
        emit Committed(msg.sender, period, commitment);
    }

    function reveal(uint64 period, bytes32 root, bytes32 salt) external {
        uint256 end = _pace().endOf(period);
        _requireWindow(end + window(), end + 2 * window());
        if (rootOf[msg.sender][period] != 0) revert AlreadyRevealed(msg.sender, period);
        bytes32 commitment = keccak256(abi.encode(msg.sender, period, root, salt));
        if (root == 0 || commitmentOf[msg.sender][period] != commitment) revert WrongReveal(msg.sender, period);

        rootOf[msg.sender][period] = root;
        emit Revealed(msg.sender, period, root);
        _draw(period + 2);
        _earn(period);
    }

    function draw(uint64 period) external {
        uint256 drawBlock = drawBlockOf[period];
        if (block.number <= drawBlock || drawBlock == 0) revert NothingToDraw(period, drawBlock);
        _draw(period);
    }

    function submit(address market, uint64 orderId, uint64 period, Vote[] calldata votes) external {
        Finding storage finding = _findings[market][orderId][period];
        // Even the last finding can still be contested for half of the challenge period.
        _requireWindow(_revealed(period), finding.finalAt == 0 ? _closed(period) : finding.finalAt - challenge() / 2);
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        address[] memory drawn = assigned(order.provider, order.nodeId, period);
        uint256 quorum = needed(drawn.length);
        if (votes.length < quorum) revert TooFewVotes(votes.length, quorum);

        (uint256 down, uint64 voters) = _tally(market, orderId, period, votes, drawn, quorum);
        down &= _served(period, order) & ~uint256(finding.contested);
        if (down & ~uint256(finding.down) == 0) revert NothingFound();

        finding.down |= down.toUint96();
        finding.voters |= voters;
        _countAnnounced(finding, order, period);
        _found(finding, market, orderId, period);
    }

    function contest(address market, uint64 orderId, uint64 period, Vote[] calldata votes) external {
        Finding storage finding = _findings[market][orderId][period];
        uint96 down = finding.down;
        if (down == 0) revert NothingFound();
        _requireWindow(0, finding.finalAt);
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        (address[] memory drawn, uint256 count) = _drawn(order.provider, order.nodeId, period);
        uint256 quorum = neededToContest(count);
        if (votes.length < quorum) revert TooFewVotes(votes.length, quorum);

        address before;
        for (uint256 i = 0; i < votes.length; ++i) {
            Vote calldata vote = votes[i];
            if (vote.monitor <= before) revert UnorderedVotes();
            before = vote.monitor;
            if (vote.monitor == order.provider || !_monitorsThrough(vote.monitor, period) || _contains(drawn, vote.monitor)) {
                revert NoWitness(vote.monitor);
            }
            _requireReported(market, orderId, period, vote);
            uint256 seen = LibBit.popCount(vote.report.observed & down);
            if (2 * LibBit.popCount(vote.report.down & down) >= seen) revert NoContradiction();
        }

        finding.contested |= down;
        (finding.down, finding.voters) = (0, 0);
        emit Contested(market, orderId, period, down);
        // What remains was proven, not voted.
        if (finding.proven == 0) emit FindingDropped(market, orderId, period);
        else emit Found(market, orderId, period, finding.proven, finding.finalAt);
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

        bytes memory head = abi.encode(ATTESTATION_TYPEHASH, market, orderId, order.provider, order.nodeId);
        uint256 epochs = _attestedEpochs(head, market, order.provider, period, deployment, attested) & _served(period, order);
        if (epochs & ~uint256(finding.proven) == 0) revert NothingFound();

        finding.proven |= epochs.toUint96();
        _countAnnounced(finding, order, period);
        emit WrongImage(market, orderId, period, finding.proven, deployment.deployment);
        _found(finding, market, orderId, period);
    }

    function proveContradiction(address market, uint64 orderId, uint64 period, Vote calldata vote, uint8 epoch, bytes calldata signature)
        external
    {
        Monitor storage monitor = _monitorOf[vote.monitor];
        uint256 bond = monitor.bond;
        if (bond == 0) revert NotMonitor(vote.monitor);
        _requireReported(market, orderId, period, vote);
        if (epoch >= epochsPerPeriod || (uint256(vote.report.down) >> epoch) & 1 == 0) revert NoContradiction();
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        bytes32 acknowledged =
            keccak256(abi.encode(ACKNOWLEDGEMENT_TYPEHASH, market, orderId, order.provider, order.nodeId, _pace().first(period) + epoch));
        if (_signer(acknowledged, signature) != vote.monitor) revert BadSignature();

        _slashed[period] |= _bit(monitor.index);
        rootOf[vote.monitor][period] = 0;
        _remove(vote.monitor, monitor.index);
        _forfeit(vote.monitor);
        emit MonitorSlashed(vote.monitor, period, msg.sender, bond);

        // Half is burned, so that a monitor gains nothing by proving its own lie.
        token.burn(bond - bond / 2);
        token.safeTransfer(msg.sender, bond / 2);
    }

    function finish(address market, uint64 orderId, uint64 period) external {
        _finish(market, orderId, period);
    }

    function credit(address market, uint64 orderId, uint64 period) external {
        _finish(market, orderId, period);
        Downtime memory downtime = _downtimes[market][orderId];
        IMarket(market).creditDowntime(orderId, downtime.total, downtime.asOf, abi.encode(orderId, downtime.total, downtime.asOf));
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        bool isValid = signature.length == 96 ? _isDowntime(digest, signature) : _isVoucher(digest, signature);
        return isValid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function maintenanceOf(address market, uint64 orderId) external view returns (uint32) {
        return _downtimes[market][orderId].maintenance;
    }

    function findingOf(address market, uint64 orderId, uint64 period) external view returns (Finding memory) {
        return _findings[market][orderId][period];
    }

    function downtimeOf(address market, uint64 orderId) external view returns (Downtime memory) {
        return _downtimes[market][orderId];
    }

    function assigned(address provider, uint64 nodeId, uint64 period) public view returns (address[] memory drawn) {
        (drawn,) = _drawn(provider, nodeId, period);
    }

    function needed(uint256 count) public pure returns (uint256) {
        return count < 4 ? 2 : count / 2 + 1;
    }

    function neededToContest(uint256 count) public pure returns (uint256) {
        return count < 3 ? 2 : count / 3 + 1;
    }

    function _announceDraw(uint64 period) private {
        uint256 drawBlock = block.number + DRAW_DELAY;
        drawBlockOf[period] = drawBlock;
        emit DrawAnnounced(period, drawBlock);
    }

    /// @dev Once the block is there. A hash that nobody asked for in time is gone, and another block draws.
    function _draw(uint64 period) private {
        uint256 drawBlock = drawBlockOf[period];
        if (beaconOf[period] != 0 || drawBlock == 0 || block.number <= drawBlock) return;
        bytes32 beacon = blockhash(drawBlock);
        if (beacon == 0) {
            (bool isKept, bytes memory kept) = BLOCK_HASHES.staticcall(abi.encode(drawBlock));
            if (isKept && kept.length == 32) beacon = abi.decode(kept, (bytes32));
        }
        if (beacon == 0) {
            _announceDraw(period);
            return;
        }
        beaconOf[period] = beacon;
        emit BeaconSet(period, beacon);
    }

    /// @dev The monitors drawn, and the number of candidates.
    function _drawn(address provider, uint64 nodeId, uint64 period) private view returns (address[] memory drawn, uint256 candidates) {
        drawn = new address[](ASSIGNED);
        bytes32[] memory ranks = new bytes32[](ASSIGNED);
        bytes32 seed = keccak256(abi.encode(beaconOf[period], period, provider, nodeId));
        uint256 count;
        for (uint256 i = 0; i < _monitors.length; ++i) {
            address account = _monitors[i];
            if (account == provider || !_monitorsThrough(account, period)) continue;
            ++candidates;
            bytes32 rank = keccak256(abi.encode(seed, account));
            uint256 place = count;
            while (place > 0 && rank < ranks[place - 1]) --place;
            if (place == ASSIGNED) continue;
            if (count < ASSIGNED) ++count;
            for (uint256 j = count - 1; j > place; --j) {
                (ranks[j], drawn[j]) = (ranks[j - 1], drawn[j - 1]);
            }
            (ranks[place], drawn[place]) = (rank, account);
        }
        assembly ("memory-safe") {
            mstore(drawn, count)
        }
    }

    /// @dev Epochs with at least `quorum` votes: `atLeast[n]` has the epochs that at least n + 1 votes so far mark as down.
    function _tally(address market, uint64 orderId, uint64 period, Vote[] calldata votes, address[] memory drawn, uint256 quorum)
        private
        view
        returns (uint256 down, uint64 voters)
    {
        uint256[] memory atLeast = new uint256[](quorum);
        address before;
        for (uint256 i = 0; i < votes.length; ++i) {
            Vote calldata vote = votes[i];
            if (vote.monitor <= before) revert UnorderedVotes();
            before = vote.monitor;
            if (!_contains(drawn, vote.monitor)) revert NotAssigned(vote.monitor);
            _requireReported(market, orderId, period, vote);
            for (uint256 n = quorum - 1; n > 0; --n) {
                atLeast[n] |= atLeast[n - 1] & vote.report.down;
            }
            atLeast[0] |= vote.report.down;
            voters |= _bit(_monitorOf[vote.monitor].index);
        }
        down = atLeast[quorum - 1];
    }

    function _finish(address market, uint64 orderId, uint64 period) private {
        Finding storage finding = _findings[market][orderId][period];
        if (finding.finalAt == 0 || block.timestamp < finding.finalAt) revert NotFinal(finding.finalAt);
        if (finding.counted) revert FindingIsFinal();
        if (finding.voters & _slashed[period] != 0) (finding.down, finding.voters) = (0, 0);
        uint256 down = finding.down | finding.proven;
        if (down == 0) {
            // Honest votes may be submitted again; contested epochs stay contested.
            finding.finalAt = 0;
            emit FindingDropped(market, orderId, period);
            return;
        }

        finding.counted = true;
        Downtime storage downtime = _downtimes[market][orderId];
        // At most 96 epochs of 300 seconds in each period of an order.
        // forge-lint: disable-next-line(unsafe-typecast)
        downtime.total += uint32(LibBit.popCount(down) * epochSeconds);
        uint40 end = uint40(_pace().endOf(period));
        if (end > downtime.asOf) downtime.asOf = end;
        if (finding.down != 0 && finding.announced != 0) {
            // forge-lint: disable-next-line(unsafe-typecast)
            downtime.maintenance += uint32(finding.announced * epochSeconds);
            emit MaintenanceFinal(market, orderId, period, downtime.maintenance);
        }
        emit DowntimeFinal(market, orderId, period, downtime.total, downtime.asOf);
    }

    function _requireWindow(uint256 from, uint256 until) private view {
        if (block.timestamp < from || block.timestamp >= until) revert OutsideWindow(from, until);
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
        return _pace().endOf(period) + 2 * window();
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
            if (one.epoch >= epochsPerPeriod || one.image == deployment.image) revert NoContradiction();
            uint256 epoch = _pace().first(period) + one.epoch;
            bytes memory tail = abi.encode(epoch, one.beacon, one.healthy, deployment.deployment, one.image);
            _requireOperator(market, provider, period, keccak256(bytes.concat(head, tail)), one.signature);
            epochs |= uint256(1) << one.epoch;
        }
    }

    /// @dev A signature by the operator's key counts as the provider's, also after it was replaced, and so does one by the provider's own.
    function _requireOperator(address market, address provider, uint64 period, bytes32 structHash, bytes calldata signature) private view {
        address signer = _signer(structHash, signature);
        if (!IRegistry(IMarketState(market).registry()).signsFor(provider, signer, _pace().startOf(period))) revert BadSignature();
    }

    /// @dev By recovery alone: an account that was asked whether a signature is its own, or given code for that, could deny it. Zero where
    /// there is no signer.
    function _signer(bytes32 structHash, bytes calldata signature) private view returns (address) {
        return ECDSA.tryRecoverCalldata(_hashTypedData(structHash), signature);
    }

    function _contains(address[] memory accounts, address account) private pure returns (bool) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (accounts[i] == account) return true;
        }
        return false;
    }

    function _requireReported(address market, uint64 orderId, uint64 period, Vote calldata vote) private view {
        bytes32 root = rootOf[vote.monitor][period];
        if (root == 0) revert NotRevealed(vote.monitor, period);
        (uint96 observed, uint96 down) = (vote.report.observed, vote.report.down);
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(market, orderId, period, observed, down))));
        bytes32 place = keccak256(abi.encode(market, orderId));
        if (down & ~observed != 0 || ReportTree.rootOf(place, leaf, vote.proof) != root) revert NotReported(vote.monitor);
    }

    function _isDowntime(bytes32 digest, bytes calldata signature) private view returns (bool) {
        (uint64 orderId, uint32 total, uint40 asOf) = abi.decode(signature, (uint64, uint32, uint40));
        Downtime memory downtime = _downtimes[msg.sender][orderId];
        return asOf != 0 && downtime.total == total && downtime.asOf == asOf
            && digest == _marketDigest(msg.sender, keccak256(abi.encode(DOWNTIME_TYPEHASH, orderId, total, asOf)));
    }

    function _isVoucher(bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address account, uint256 amount, uint256 nonce, uint256 deadline, bytes memory signed) =
            abi.decode(signature, (address, uint256, uint256, uint256, bytes));
        return digest == _marketDigest(msg.sender, keccak256(abi.encode(WITHDRAW_TYPEHASH, account, amount, nonce, deadline)))
            && SignatureCheckerLib.isValidSignatureNow(rewarder, digest, signed);
    }

    function _marketDigest(address market, bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Rackfair Market"), keccak256("1"), block.chainid, market));
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Rackfair Monitors", "1");
    }
}
