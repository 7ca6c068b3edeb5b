// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { MerkleProof } from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { EIP712 } from "solady/utils/EIP712.sol";
import { LibBit } from "solady/utils/LibBit.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { Credit } from "./Credit.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketLens } from "./interfaces/IMarketLens.sol";
import { Epochs } from "./libraries/Epochs.sol";
import { Membership } from "./monitors/Membership.sol";

/// @title Monitors
/// @dev The promises are in IMonitors.
contract Monitors is Membership, EIP712 {
    using Epochs for Epochs.Pace;
    using SafeCast for uint256;
    using SafeERC20 for Credit;

    uint256 public constant ASSIGNED = 5;
    /// @dev In periods: a day of three times eight hours.
    uint256 private constant SUBMIT_PERIODS = 3;

    bytes32 private constant ACKNOWLEDGEMENT_TYPEHASH =
        keccak256("Acknowledgement(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch)");
    bytes32 private constant DOWNTIME_TYPEHASH = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
    bytes32 private constant WITHDRAW_TYPEHASH = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    address public immutable rewarder;

    mapping(uint64 period => bytes32) public beaconOf;
    mapping(address monitor => mapping(uint64 period => bytes32)) public commitmentOf;
    mapping(address monitor => mapping(uint64 period => bytes32)) public rootOf;

    /// @dev Indices of monitors that were slashed over this period.
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
        // Nobody knows the hash of this block's parent long before, and it is needed one period later only.
        if (beaconOf[period + 2] == 0) {
            bytes32 beacon = blockhash(block.number - 1);
            beaconOf[period + 2] = beacon;
            emit BeaconSet(period + 2, beacon);
        }

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
    }

    function submit(address market, uint64 orderId, uint64 period, Vote[] calldata votes) external {
        uint256 revealed = _pace().endOf(period) + 2 * window();
        Finding storage finding = _findings[market][orderId][period];
        uint256 until = finding.finalAt == 0 ? revealed + SUBMIT_PERIODS * _periodSeconds() : finding.finalAt;
        _requireWindow(revealed, until);
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        address[] memory drawn = assigned(order.provider, order.nodeId, period);
        uint256 quorum = needed(drawn.length);
        if (votes.length < quorum) revert TooFewVotes(votes.length, quorum);

        (uint256 down, uint64 voters) = _tally(market, orderId, period, votes, drawn, quorum);
        down &= _pace().within(period, order.activateTime, order.activateTime + order.duration);
        if (down & ~uint256(finding.down) == 0) revert NothingFound();

        finding.down |= down.toUint96();
        finding.voters |= voters;
        if (finding.finalAt == 0) finding.finalAt = (block.timestamp + challenge()).toUint40();
        emit Found(market, orderId, period, finding.down, finding.finalAt);
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
        if (!SignatureCheckerLib.isValidSignatureNow(vote.monitor, _hashTypedData(acknowledged), signature)) revert BadSignature();

        _slashed[period] |= _bit(monitor.index);
        rootOf[vote.monitor][period] = 0;
        _remove(vote.monitor, monitor.index);
        emit MonitorSlashed(vote.monitor, period, msg.sender, bond);

        // Half is lost, so that a monitor gains nothing by proving its own lie.
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

    function findingOf(address market, uint64 orderId, uint64 period) external view returns (Finding memory) {
        return _findings[market][orderId][period];
    }

    function downtimeOf(address market, uint64 orderId) external view returns (Downtime memory) {
        return _downtimes[market][orderId];
    }

    function assigned(address provider, uint64 nodeId, uint64 period) public view returns (address[] memory drawn) {
        drawn = new address[](ASSIGNED);
        bytes32[] memory ranks = new bytes32[](ASSIGNED);
        bytes32 seed = keccak256(abi.encode(beaconOf[period], period, provider, nodeId));
        uint256 count;
        for (uint256 i = 0; i < _monitors.length; ++i) {
            address account = _monitors[i];
            if (account == provider || !_monitorsThrough(account, period)) continue;
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

    function needed(uint256 count) public pure returns (uint256) {
        return count < 4 ? 2 : count / 2 + 1;
    }

    /// @dev Epochs with at least `quorum` votes: `atLeast[n]` has those that at least n + 1 of the votes so far name.
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
            _requireAssigned(vote.monitor, drawn);
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
        if (finding.voters & _slashed[period] != 0) {
            delete _findings[market][orderId][period];
            emit FindingDropped(market, orderId, period);
            return;
        }

        finding.counted = true;
        Downtime storage downtime = _downtimes[market][orderId];
        // At most 96 epochs of 300 seconds in each of the periods of an order.
        // forge-lint: disable-next-line(unsafe-typecast)
        downtime.total += uint32(LibBit.popCount(finding.down) * epochSeconds);
        uint40 end = uint40(_pace().endOf(period));
        if (end > downtime.asOf) downtime.asOf = end;
        emit DowntimeFinal(market, orderId, period, downtime.total, downtime.asOf);
    }

    function _requireWindow(uint256 from, uint256 until) private view {
        if (block.timestamp < from || block.timestamp >= until) revert OutsideWindow(from, until);
    }

    function _requireAssigned(address monitor, address[] memory drawn) private pure {
        for (uint256 i = 0; i < drawn.length; ++i) {
            if (drawn[i] == monitor) return;
        }
        revert NotAssigned(monitor);
    }

    function _requireReported(address market, uint64 orderId, uint64 period, Vote calldata vote) private view {
        bytes32 root = rootOf[vote.monitor][period];
        if (root == 0) revert NotRevealed(vote.monitor, period);
        (uint96 observed, uint96 down) = (vote.report.observed, vote.report.down);
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(market, orderId, period, observed, down))));
        if (down & ~observed != 0 || !MerkleProof.verifyCalldata(vote.proof, root, leaf)) revert NotReported(vote.monitor);
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
