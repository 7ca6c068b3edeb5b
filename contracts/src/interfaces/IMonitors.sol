// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Credit } from "../Credit.sol";
import { IAccess } from "./IAccess.sol";
import { IPaced } from "./IPaced.sol";

/// @title Monitors
/// @notice Independent, bonded monitors of a market: who they are, what each of them reported, and what they are paid. What their reports
/// come to is counted by {IFindings}.
/// @dev An epoch is 5 minutes, a period 96 epochs (8 hours); both are counted from Unix time 0. A development chain may use shorter ones,
/// which shortens every hour and day named here in proportion. After a period each monitor commits to the root of a tree with one report for
/// each order that it observed ({ReportTree}, within the next hour), and reveals it (within the hour after that).
interface IMonitors is IPaced {
    /// @notice What a monitor observed of an order in the 96 epochs of a period; bit i is epoch i of the period. `down` is a subset of
    /// `observed`.
    struct Report {
        uint96 observed;
        uint96 down;
    }

    /// @notice The report of one monitor, with the siblings on its way up to the root that the monitor revealed ({ReportTree}); its key is the
    /// hash of market and order.
    struct Vote {
        address monitor;
        Report report;
        bytes32[] proof;
    }

    /// @notice The report of an order, with what its operator signed for this monitor in the epoch that is drawn.
    struct Sample {
        address market;
        uint64 orderId;
        Vote vote;
        bytes32 beacon;
        bytes32 deployment;
        bytes32 image;
        bytes signature;
    }

    /// @notice A monitor. `leftAt` is the Unix time at which it resigned, or lost its place; 0 while it is active.
    struct Monitor {
        uint128 bond;
        uint40 joinedAt;
        uint40 leftAt;
        uint8 place;
        uint8 contradictions; // proven since it joined
    }

    event MonitorJoined(address indexed monitor, uint256 bond);
    /// @notice `monitor` signs with `key` from now on. What it signed with another one before binds it as well.
    event KeyNamed(address indexed monitor, address indexed key);
    /// @notice `monitor` resigned, or lost its place; its bond can be taken back from Unix time `until` on.
    event MonitorLeft(address indexed monitor, uint40 until);
    /// @notice `monitor` publishes its reports at `url`.
    event MonitorAnnounced(address indexed monitor, string url);
    event BondReturned(address indexed monitor, uint256 amount);
    /// @notice `monitor` showed the sample of its report for `period`; each monitor that does so earns the same amount.
    event PayEarned(address indexed monitor, uint64 indexed period, uint256 amount);
    event PayTaken(address indexed monitor, uint256 amount);
    /// @notice The hash of block `drawBlock` will draw the monitors of `period`.
    event DrawAnnounced(uint64 indexed period, uint256 drawBlock);
    /// @notice `beacon` draws the monitors of `period`.
    event BeaconSet(uint64 indexed period, bytes32 beacon);
    event Committed(address indexed monitor, uint64 indexed period, bytes32 commitment);
    event Revealed(address indexed monitor, uint64 indexed period, bytes32 root);
    /// @notice `monitor` contradicted itself over `period`, for which its votes count no more, and lost `amount` of its bond: half went to
    /// `prover`, half was burned. Once nothing is left of its bond, it loses its place, and what it had earned goes back to the pool.
    event MonitorSlashed(address indexed monitor, uint64 indexed period, address indexed prover, uint256 amount);

    /// @notice An epoch has 1 to 300 seconds, a period 8 to 96 epochs, a multiple of 8.
    error PaceOutOfBounds();
    error AlreadyMonitor(address account);
    error NotMonitor(address account);
    error UrlTooLong(uint256 length, uint256 max);
    error BondTooLow(uint256 amount, uint256 min);
    /// @notice The zero address signs nothing.
    error NoKey();
    /// @notice The bond can be taken back from the Unix time `until` on.
    error StillBonded(uint40 until);
    error NothingEarned(address account);
    /// @notice This is possible from Unix time `from` (inclusive) to `until` (exclusive).
    error OutsideWindow(uint256 from, uint256 until);
    /// @notice The block that draws the monitors of `period` is not over; 0 if none was announced.
    error NothingToDraw(uint64 period, uint256 drawBlock);
    error AlreadyRevealed(address monitor, uint64 period);
    /// @notice The revealed root and salt do not match the commitment.
    error WrongReveal(address monitor, uint64 period);
    error NotRevealed(address monitor, uint64 period);
    /// @notice The report is not under the root that the monitor revealed, or marks an epoch as down that it did not observe.
    error NotReported(address monitor);
    error AlreadyPaid(address monitor, uint64 period);
    /// @notice No block has drawn the monitors of `period`, nor what was sampled three periods before.
    error NotDrawn(uint64 period);
    error TooManySamples(uint256 samples, uint256 max);
    /// @notice Another report of the tree is drawn.
    error NotTheSample(uint256 index);
    /// @notice None of the reports that are drawn has an epoch in which the order was up.
    error NothingShown();
    /// @notice This contract was never in service, or was retired.
    error NoMarket(address market);
    /// @notice These do not contradict each other, or it was proven before.
    error NoContradiction();
    error BadSignature();

    /// @notice Registers the caller as a monitor from the next period on, with a bond of at least MIN_BOND wei of Credit, which has to be
    /// approved. Where MAX_MONITORS monitor, a bond that is 10 % higher takes the place of the lowest. The caller answers for what `key` signs,
    /// which may be its own account or any other; what the account itself can do, or has as code, does not matter. Reverts AlreadyMonitor,
    /// BondTooLow, NoKey.
    function join(uint256 bond, address key) external;

    /// @notice Signs with another key from now on, and stays answerable for what the ones before signed. Reverts NotMonitor, NoKey.
    function nameKey(address key) external;

    /// @notice Announces where the monitor publishes its reports; empty if it does not. Reverts NotMonitor, UrlTooLong.
    function announce(string calldata url) external;

    /// @notice Stops monitoring and frees the place at once. The bond stays locked, and answerable, for LEAVE_DELAY. Reverts NotMonitor.
    function resign() external;

    /// @notice Takes the bond back. Reverts NotMonitor, StillBonded.
    function takeBond() external returns (uint256 amount);

    /// @notice Withdraws what the caller has earned, even after it took its bond back. Reverts NothingEarned.
    function takePay() external returns (uint256 amount);

    /// @notice In the hour after `period`: commits to keccak256(abi.encode(monitor, period, root, salt)). The last commitment counts. The
    /// first one announces the block that draws the monitors of the period after the running one. Reverts NotMonitor, OutsideWindow.
    function commit(uint64 period, bytes32 commitment) external;

    /// @notice Draws the monitors of `period` by the hash of the announced block, which nobody knew when it was announced; later commitments
    /// and reveals do the same. If nobody did in time, while the chain still had the hash, announces another block. Anyone; does nothing
    /// once they are drawn. Reverts NothingToDraw.
    function draw(uint64 period) external;

    /// @notice In the hour after that: reveals the root. Leaves are keccak256(bytes.concat(keccak256(abi.encode(market, orderId, period,
    /// observed, down)))), for their place see {ReportTree}. Reverts OutsideWindow, AlreadyRevealed, WrongReveal.
    function reveal(uint64 period, bytes32 root, bytes32 salt) external;

    /// @notice Pays a ninetieth of the pool, divided by the number of all monitors, to a caller that monitored through the period and shows
    /// what its operator signed for it about a random epoch of a random report. The beacon of the period three later draws both, which
    /// nobody knows when the root is committed to: sample i is the report on the way to keccak256(abi.encode("sample", beacon, caller, i)),
    /// see {ReportTree}; its epoch is one in which the order was up. Reports without any are shown before it, without a signature, at most
    /// MAX_SAMPLES in all. Within four periods. Reverts OutsideWindow, AlreadyPaid, NotMonitor, NotDrawn, TooManySamples, NotRevealed,
    /// NotReported, NotTheSample, NoMarket, BadSignature, NothingShown.
    function earn(uint64 period, Sample[] calldata samples) external;

    /// @notice Slashes a monitor that reported an epoch as down although it had acknowledged it to the agent: a twentieth of its bond for
    /// the first epoch, and twice the part of the one before for each further one. `signature` is by a key that the monitor named at any
    /// time, over Acknowledgement. A monitor that resigned is still bonded. Reverts NotMonitor, NotRevealed, NotReported, NoContradiction,
    /// BadSignature.
    function proveContradiction(address market, uint64 orderId, uint64 period, Vote calldata vote, uint8 epoch, bytes calldata signature)
        external;

    /// @notice Seconds to commit, and to reveal: an eighth of a period.
    function window() external view returns (uint256);
    function monitorOf(address account) external view returns (Monitor memory);
    /// @notice What a monitor earned and has not withdrawn, in wei of Credit.
    function earned(address account) external view returns (uint256);
    /// @notice Whether a monitor has earned its pay for a period.
    function isPaid(address monitor, uint64 period) external view returns (bool);
    /// @notice What monitors are paid from, in wei of Credit: the balance of this contract beyond bonds and unpaid earnings. Receives a
    /// share of the Market's commission; anyone may send more.
    function pool() external view returns (uint256);
    /// @notice Where a monitor publishes its reports, as it announced.
    function urlOf(address monitor) external view returns (string memory);
    /// @notice All active monitors, in no particular order.
    function monitors() external view returns (address[] memory);
    /// @notice The same, and the key that each of them signs with.
    function keys() external view returns (address[] memory accounts, address[] memory named);
    /// @notice The key that a monitor named last.
    function keyOf(address monitor) external view returns (address);
    /// @notice Whether a monitor ever named this key: it answers for what it signed.
    function isKeyOf(address monitor, address key) external view returns (bool);
    /// @notice All that monitored through a period, also those that left since.
    function monitorsIn(uint64 period) external view returns (address[] memory);
    /// @notice Whether `account` monitored through a period.
    function monitorsThrough(address account, uint64 period) external view returns (bool);
    /// @notice The monitors drawn for a node in a period: at most ASSIGNED of those that monitored through all of it, never its provider.
    /// Nobody without a beacon: where nobody committed two periods before.
    function assigned(address provider, uint64 nodeId, uint64 period) external view returns (address[] memory);
    /// @notice The same, and how many they were drawn from.
    function drawOf(address provider, uint64 nodeId, uint64 period) external view returns (address[] memory drawn, uint256 candidates);
    /// @notice The root that a monitor revealed for a period.
    function rootOf(address monitor, uint64 period) external view returns (bytes32);
    /// @notice The same, or zero where its reports do not count since it was slashed over the period.
    function votingRootOf(address monitor, uint64 period) external view returns (bytes32);
    function isSlashed(address monitor, uint64 period) external view returns (bool);
    /// @notice The epochs of a report over which contradictions were proven; bit i is epoch i of the period.
    function contradictedIn(address monitor, address market, uint64 orderId, uint64 period) external view returns (uint256);
    /// @notice Who signed evidence, by recovery alone: an account that was asked whether a signature is its own, or given code for that,
    /// could deny it. Zero where there is no signer.
    function signerOf(bytes32 structHash, bytes calldata signature) external view returns (address);
    function token() external view returns (Credit);
    /// @notice Names the markets whose operators' signatures are paid for.
    function access() external view returns (IAccess);
}
