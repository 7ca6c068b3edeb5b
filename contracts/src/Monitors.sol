// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { ECDSA } from "solady/utils/ECDSA.sol";
import { EIP712 } from "solady/utils/EIP712.sol";
import { Credit } from "./Credit.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketLens } from "./interfaces/IMarketLens.sol";
import { IMarketState } from "./interfaces/IMarketState.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Attestations } from "./libraries/Attestations.sol";
import { Bonds } from "./libraries/Bonds.sol";
import { Epochs } from "./libraries/Epochs.sol";
import { ReportTree } from "./libraries/ReportTree.sol";
import { Reports } from "./libraries/Reports.sol";
import { MONITORS_PER_NODE } from "./types/Constants.sol";
import { Membership } from "./monitors/Membership.sol";
import { Pay } from "./monitors/Pay.sol";

/// @title Monitors
/// @dev See {IMonitors}.
contract Monitors is Pay, EIP712 {
    using Epochs for Epochs.Pace;
    using SafeERC20 for Credit;

    uint256 public constant ASSIGNED = MONITORS_PER_NODE;
    uint256 public constant MAX_SAMPLES = 8;
    /// @dev From the end of a period to when it can no longer be earned: what waits to be earned is a small part of the pool.
    uint256 private constant EARN_PERIODS = 4;
    /// @dev Blocks from the first commitment to the block that draws: whoever commits first cannot know its hash.
    uint256 private constant DRAW_DELAY = 4;
    /// @dev Where a chain keeps the last 8,191 block hashes (EIP-2935); calling it returns nothing on others.
    address private constant BLOCK_HASHES = 0x0000F90827F1C53a10cb7A02335B175320002935;

    bytes32 private constant ACKNOWLEDGEMENT_TYPEHASH =
        keccak256("Acknowledgement(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch)");

    IAccess public immutable access;

    mapping(uint64 period => bytes32) public beaconOf;
    mapping(uint64 period => uint256) public drawBlockOf;
    mapping(address monitor => mapping(uint64 period => bytes32)) public commitmentOf;
    mapping(address monitor => mapping(uint64 period => bytes32)) public rootOf;
    mapping(address monitor => mapping(uint64 period => bool)) public isSlashed;

    /// @dev By the hash of monitor, market, order and period.
    mapping(bytes32 report => uint256 epochs) private _proven;

    constructor(IAccess access_, address token_, uint256 epochSeconds_, uint256 epochsPerPeriod_)
        Membership(token_, epochSeconds_, epochsPerPeriod_)
    {
        access = access_;
    }

    function commit(uint64 period, bytes32 commitment) external {
        _active(msg.sender);
        uint256 end = _pace().endOf(period);
        _requireWindow(end, end + _window());
        if (drawBlockOf[period + 2] == 0) _announceDraw(period + 2);
        else _draw(period + 2);

        commitmentOf[msg.sender][period] = commitment;
        emit Committed(msg.sender, period, commitment);
    }

    function reveal(uint64 period, bytes32 root, bytes32 salt) external {
        uint256 end = _pace().endOf(period);
        _requireWindow(end + _window(), end + 2 * _window());
        if (rootOf[msg.sender][period] != 0) revert AlreadyRevealed(msg.sender, period);
        bytes32 commitment = keccak256(abi.encode(msg.sender, period, root, salt));
        if (root == 0 || commitmentOf[msg.sender][period] != commitment) revert WrongReveal(msg.sender, period);

        rootOf[msg.sender][period] = root;
        emit Revealed(msg.sender, period, root);
        _draw(period + 2);
    }

    function earn(uint64 period, Sample[] calldata samples) external {
        uint256 end = _pace().endOf(period);
        _requireWindow(end, end + EARN_PERIODS * _periodSeconds());
        if (isPaid[msg.sender][period]) revert AlreadyPaid(msg.sender, period);
        Monitor memory monitor = _monitorOf[msg.sender];
        // Who lost all of its bond, and joined again, is paid for nothing before. Who left during the period has no root.
        if (monitor.bond == 0 || monitor.joinedAt > _pace().startOf(period)) revert NotMonitor(msg.sender);
        bytes32 beacon = beaconOf[period + 3];
        if (beacon == 0) revert NotDrawn(period + 3);
        if (samples.length > MAX_SAMPLES) revert TooManySamples(samples.length, MAX_SAMPLES);

        _requireShown(period, beacon, samples);
        _pay(period);
    }

    function draw(uint64 period) external {
        uint256 drawBlock = drawBlockOf[period];
        if (block.number <= drawBlock || drawBlock == 0) revert NothingToDraw(period, drawBlock);
        _draw(period);
    }

    function proveContradiction(address market, uint64 orderId, uint64 period, Vote calldata vote, uint8 epoch, bytes calldata signature)
        external
    {
        if (_monitorOf[vote.monitor].bond == 0) revert NotMonitor(vote.monitor);
        Reports.requireUnder(rootOf[vote.monitor][period], market, orderId, period, vote);
        _noteContradiction(market, orderId, period, vote, epoch);
        address signer = signerOf(_acknowledgement(market, orderId, _pace().first(period) + epoch), signature);
        if (!isKeyOf[vote.monitor][signer]) revert BadSignature();

        isSlashed[vote.monitor][period] = true;
        uint256 fine = _fine(vote.monitor);
        emit MonitorSlashed(vote.monitor, period, msg.sender, fine);

        // Half is burned, so that a monitor gains nothing by proving its own lie.
        token.burn(fine - fine / 2);
        token.safeTransfer(msg.sender, fine / 2);
    }

    function assigned(address provider, uint64 nodeId, uint64 period) external view returns (address[] memory drawn) {
        (drawn,) = drawOf(provider, nodeId, period);
    }

    function contradictedIn(address monitor, address market, uint64 orderId, uint64 period) external view returns (uint256) {
        return _proven[_reportOf(monitor, market, orderId, period)];
    }

    function votingRootOf(address monitor, uint64 period) public view returns (bytes32) {
        return isSlashed[monitor][period] ? bytes32(0) : rootOf[monitor][period];
    }

    function drawOf(address provider, uint64 nodeId, uint64 period) public view returns (address[] memory drawn, uint256 candidates) {
        bytes32 beacon = beaconOf[period];
        drawn = new address[](ASSIGNED);
        bytes32[] memory ranks = new bytes32[](ASSIGNED);
        bytes32 seed = keccak256(abi.encode(beacon, period, provider, nodeId));
        address[] memory all = _candidates(period);
        uint256 count;
        for (uint256 i = 0; i < all.length; ++i) {
            address account = all[i];
            if (account == provider) continue;
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
        // Who would be drawn by a hash that is zero is known to everybody, years ahead.
        _shorten(drawn, beacon == 0 ? 0 : count);
    }

    function signerOf(bytes32 structHash, bytes calldata signature) public view returns (address) {
        return ECDSA.tryRecoverCalldata(_hashTypedData(structHash), signature);
    }

    /// @dev Each sample is the leaf on the way to a target that the beacon names. Those without an epoch in which the order was up are only
    /// passed over: what was down has no attestation, and to report it must cost nothing.
    function _requireShown(uint64 period, bytes32 beacon, Sample[] calldata samples) private view {
        bytes32 root = votingRootOf(msg.sender, period);
        for (uint256 i = 0; i < samples.length; ++i) {
            Sample calldata sample = samples[i];
            Vote calldata vote = sample.vote;
            if (vote.monitor != msg.sender) revert NotReported(vote.monitor);
            Reports.requireUnder(root, sample.market, sample.orderId, period, vote);
            bytes32 target = keccak256(abi.encode("sample", beacon, msg.sender, i));
            if (!ReportTree.isOnTheWay(Reports.placeOf(sample.market, sample.orderId), target, vote.proof)) revert NotTheSample(i);
            uint256 up = vote.report.observed & ~vote.report.down;
            if (up == 0) continue;
            _requireAttested(period, _pace().first(period) + Epochs.pick(up, uint256(keccak256(abi.encode(target)))), sample);
            return;
        }
        revert NothingShown();
    }

    /// @dev Signed by the operator of a node of this market, for the caller: nobody else's attestation is of any use to it.
    function _requireAttested(uint64 period, uint256 epoch, Sample calldata sample) private view {
        address market = sample.market;
        if (!access.isMarket(market)) revert NoMarket(market);
        IMarket.Order memory order = IMarketLens(market).getOrder(sample.orderId);
        bytes memory head = Attestations.head(market, sample.orderId, order.provider, order.nodeId);
        bytes32 hash = Attestations.hashOf(head, epoch, sample.beacon, true, sample.deployment, sample.image, msg.sender);
        address signer = signerOf(hash, sample.signature);
        bool isOwn = order.provider == msg.sender;
        if (isOwn || !IRegistry(IMarketState(market).registry()).signsFor(order.provider, signer, _pace().startOf(period))) {
            revert BadSignature();
        }
    }

    /// @dev An epoch of a report is proven once.
    function _noteContradiction(address market, uint64 orderId, uint64 period, Vote calldata vote, uint8 epoch) private {
        bytes32 report = _reportOf(vote.monitor, market, orderId, period);
        uint256 open = uint256(vote.report.down) & ~_proven[report];
        if (epoch >= epochsPerPeriod || (open >> epoch) & 1 == 0) revert NoContradiction();
        _proven[report] |= uint256(1) << epoch;
    }

    function _reportOf(address monitor, address market, uint64 orderId, uint64 period) private pure returns (bytes32) {
        return keccak256(abi.encode(monitor, market, orderId, period));
    }

    /// @dev What a monitor signed when the agent had answered it about an order.
    function _acknowledgement(address market, uint64 orderId, uint256 epoch) private view returns (bytes32) {
        IMarket.Order memory order = IMarketLens(market).getOrder(orderId);
        return keccak256(abi.encode(ACKNOWLEDGEMENT_TYPEHASH, market, orderId, order.provider, order.nodeId, epoch));
    }

    /// @dev Takes what one more contradiction costs out of the bond. Without a bond left, the monitor loses its place and its pay.
    function _fine(address account) private returns (uint256 fine) {
        Monitor storage monitor = _monitorOf[account];
        uint256 bond = monitor.bond;
        fine = Bonds.fine(bond, monitor.contradictions);
        ++monitor.contradictions;
        // At most the bond.
        // forge-lint: disable-next-line(unsafe-typecast)
        monitor.bond = uint128(bond - fine);
        _owed -= fine;
        if (fine < bond) return fine;
        _forfeit(account);
        if (monitor.leftAt == 0) _leave(account);
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

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Rackfair Monitors", "1");
    }
}
