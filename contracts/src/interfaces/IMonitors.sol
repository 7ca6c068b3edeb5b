// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Monitors
/// @notice Measures downtime with independent, bonded monitors, and vouches for it as the validator of a Market.
/// @dev An epoch is 5 minutes, a period 96 epochs (8 hours); both are counted from Unix time 0. A development chain may use shorter ones,
/// which shortens every hour and day named here in proportion. After a period each monitor commits to the root of a tree with one report for
/// each order that it observed ({ReportTree}, within the next hour), reveals it (within the hour after that), and anyone submits what enough monitors agree on: more
/// than half of those assigned to the node, and at least two. It is final 4 hours later.
interface IMonitors {
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

    /// @notice A monitor. `leftAt` is the Unix time at which it resigned, 0 while it is active.
    struct Monitor {
        uint128 bond;
        uint40 joinedAt;
        uint40 leftAt;
        uint8 index; // its bit in `Finding.voters`
    }

    /// @notice Epochs of downtime of an order: `down` is what enough monitors observed, `proven` what its operator's signatures prove.
    /// Final from Unix time `finalAt` on.
    struct Finding {
        uint96 down;
        uint40 finalAt; // 0 if there is none
        uint64 voters; // the indices, as a bitmap, of the monitors that `down` rests on
        bool counted; // it is included in `downtimeOf`
        uint96 proven;
        uint96 contested; // epochs that no vote can find again
        uint8 announced; // how many of `down`, without those of `proven`, are announced maintenance
    }

    /// @notice What an operator promised to run on an order when the deployment `deployment` started: `spec` is the hash of what the buyer
    /// signed.
    struct Deployment {
        bytes32 deployment;
        bytes32 spec;
        bytes32 image;
        bytes signature;
    }

    /// @notice An operator's attestation in an epoch of the period, for the same deployment.
    struct Attested {
        uint8 epoch; // of the period
        bytes32 beacon;
        bool healthy;
        bytes32 image; // the image that actually ran
        bytes signature;
    }

    /// @notice The final downtime of an order: `total` seconds up to Unix time `asOf`, `maintenance` of them announced.
    struct Downtime {
        uint32 total;
        uint40 asOf;
        uint32 maintenance;
    }

    event MonitorJoined(address indexed monitor, uint256 bond);
    /// @notice `monitor` resigned; its bond can be taken back from Unix time `until` on.
    event MonitorLeft(address indexed monitor, uint40 until);
    /// @notice `monitor` publishes its reports at `url`.
    event MonitorAnnounced(address indexed monitor, string url);
    event BondReturned(address indexed monitor, uint256 amount);
    /// @notice `monitor` revealed its report for `period`; each monitor that does so earns the same amount.
    event PayEarned(address indexed monitor, uint64 indexed period, uint256 amount);
    event PayTaken(address indexed monitor, uint256 amount);
    /// @notice The hash of block `drawBlock` will draw the monitors of `period`.
    event DrawAnnounced(uint64 indexed period, uint256 drawBlock);
    /// @notice `beacon` draws the monitors of `period`.
    event BeaconSet(uint64 indexed period, bytes32 beacon);
    event Committed(address indexed monitor, uint64 indexed period, bytes32 commitment);
    event Revealed(address indexed monitor, uint64 indexed period, bytes32 root);
    /// @notice Enough monitors observed the order down in the epochs `down`, or it is proven; final from Unix time `finalAt` on.
    event Found(address indexed market, uint64 indexed orderId, uint64 indexed period, uint96 down, uint40 finalAt);
    /// @notice More than a third of all monitors, none of them drawn for the node, observed it up in these epochs: the finding in them is
    /// void.
    event Contested(address indexed market, uint64 indexed orderId, uint64 indexed period, uint96 epochs);
    /// @notice The operator attested another image than it promised for this deployment, in `epochs` in total.
    event WrongImage(address indexed market, uint64 indexed orderId, uint64 indexed period, uint96 epochs, bytes32 deployment);
    /// @notice The order has no finding in this period any more: a voter was slashed, or it was contested.
    event FindingDropped(address indexed market, uint64 indexed orderId, uint64 indexed period);
    /// @notice `total` seconds of downtime up to Unix time `asOf` are final for the order.
    event DowntimeFinal(address indexed market, uint64 indexed orderId, uint64 indexed period, uint32 total, uint40 asOf);
    /// @notice Of the order's final downtime, `maintenance` seconds lie in announced maintenance.
    event MaintenanceFinal(address indexed market, uint64 indexed orderId, uint64 indexed period, uint32 maintenance);
    /// @notice The node may be down in `epochs` epochs from `firstEpoch` on: unpaid, and without a penalty.
    event MaintenanceAnnounced(address indexed provider, uint64 indexed nodeId, uint64 firstEpoch, uint16 epochs);
    event MaintenanceWithdrawn(address indexed provider, uint64 indexed nodeId, uint64 firstEpoch, uint16 epochs);
    /// @notice `monitor` contradicted itself over `period`, whose root is dropped: half of its bond went to `prover`, half was burned, and
    /// what it had earned went back to the pool.
    event MonitorSlashed(address indexed monitor, uint64 indexed period, address indexed prover, uint256 bond);

    /// @notice An epoch has 1 to 300 seconds, a period 8 to 96 epochs, a multiple of 8.
    error PaceOutOfBounds();
    error AlreadyMonitor(address account);
    error NotMonitor(address account);
    error UrlTooLong(uint256 length, uint256 max);
    error BondTooLow(uint256 amount, uint256 min);
    error TooManyMonitors(uint256 max);
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
    /// @notice `monitor` was not drawn for this node.
    error NotAssigned(address monitor);
    /// @notice The report is not under the root that the monitor revealed, or marks an epoch as down that it did not observe.
    error NotReported(address monitor);
    /// @notice Votes have to be in ascending order of monitors, without duplicates.
    error UnorderedVotes();
    error TooFewVotes(uint256 votes, uint256 needed);
    /// @notice These votes agree on no epoch beyond those already found.
    error NothingFound();
    /// @notice Only a monitor that was active through the whole period, was not drawn for the node, and is not its provider can contest a
    /// finding.
    error NoWitness(address monitor);
    error NoContradiction();
    error BadSignature();
    error FindingIsFinal();
    /// @notice The finding is final from the Unix time `finalAt` on, 0 if there is none.
    error NotFinal(uint40 finalAt);

    error TooManyNodes(uint256 nodes, uint256 max);
    /// @notice Maintenance has to be announced, and withdrawn, at least a day ahead: this epoch begins before Unix time `earliest`.
    error MaintenanceTooSoon(uint64 firstEpoch, uint256 earliest);
    /// @notice Maintenance has at least one epoch, begins within 30 days from now, and lies within one month of 30 days, counted from Unix
    /// time 0.
    error MaintenanceOutOfMonth(uint64 firstEpoch, uint16 epochs);
    /// @notice A node has at most 8 hours of maintenance in a month, in at most `maxWindows` windows.
    error TooMuchMaintenance(uint256 epochs, uint256 max, uint256 maxWindows);
    error NoMaintenance(uint64 nodeId, uint64 firstEpoch, uint16 epochs);

    /// @notice Registers the caller as a monitor from the next period on, with a bond of at least MIN_BOND wei of Credit, which has to be
    /// approved. Reverts AlreadyMonitor, BondTooLow, TooManyMonitors.
    function join(uint256 bond) external;

    /// @notice Announces where the monitor publishes its reports; empty if it does not. Reverts NotMonitor, UrlTooLong.
    function announce(string calldata url) external;

    /// @notice Stops monitoring. The bond stays locked for LEAVE_DELAY. Reverts NotMonitor.
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
    /// observed, down)))), for their place see {ReportTree}. Pays a ninetieth of the pool, divided by the number of all monitors, to a caller that
    /// monitored through the period. Reverts OutsideWindow, AlreadyRevealed, WrongReveal.
    function reveal(uint64 period, bytes32 root, bytes32 salt) external;

    /// @notice Records the epochs in which enough monitors observed the order down, in addition to those found before. Anyone, once roots
    /// are revealed, within a day; after the first finding for half of `challenge`, so that the other half is left to contest the last one.
    /// Reverts OutsideWindow, TooFewVotes, UnorderedVotes, NotAssigned, NotRevealed, NotReported, NothingFound.
    function submit(address market, uint64 orderId, uint64 period, Vote[] calldata votes) external;

    /// @notice Voids a finding in all its epochs: `votes` are reports of at least `neededToContest` monitors, none of them drawn for the
    /// node, each of which observed it up in more of these epochs than down. Nobody is slashed: the drawn monitors may have been cut off.
    /// Anyone, until the finding is final. Reverts NothingFound, OutsideWindow, TooFewVotes, UnorderedVotes, NoWitness, NotRevealed,
    /// NotReported, NoContradiction.
    function contest(address market, uint64 orderId, uint64 period, Vote[] calldata votes) external;

    /// @notice Counts epochs as downtime in which the operator attested another image than it promised for that deployment. The signatures
    /// over Deployment and Attestation are by the operator's key, or the provider's. Anyone, from the end of the period on, until a finding
    /// is final, and initially within a day. Reverts OutsideWindow, BadSignature, NoContradiction, NothingFound.
    function proveWrongImage(address market, uint64 orderId, uint64 period, Deployment calldata deployment, Attested[] calldata attested)
        external;

    /// @notice Slashes a monitor that reported an epoch as down although it had acknowledged it to the agent. `signature` is the monitor's,
    /// over Acknowledgement. A monitor that resigned is still bonded. Reverts NotMonitor, NotRevealed, NotReported, NoContradiction,
    /// BadSignature.
    function proveContradiction(address market, uint64 orderId, uint64 period, Vote calldata vote, uint8 epoch, bytes calldata signature)
        external;

    /// @notice Adds a final finding to the downtime of its order. Anyone. A finding that rests on a slashed monitor is dropped. Reverts
    /// NotFinal, FindingIsFinal.
    function finish(address market, uint64 orderId, uint64 period) external;

    /// @notice `finish`, then reports the downtime to the Market, which takes it out of what the order pays. Reverts as finish.
    function credit(address market, uint64 orderId, uint64 period) external;

    /// @notice Announces that nodes of the caller may be down for `epochs` epochs from the start of `firstEpoch`. Downtime in them is
    /// unpaid like any other, but costs no penalty and does not count against the node's reliability. At least a day ahead, at most 8 hours
    /// in a month of 30 days, at most 50 nodes per call. Reverts MaintenanceTooSoon, MaintenanceOutOfMonth, TooMuchMaintenance,
    /// TooManyNodes.
    function announceMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) external;

    /// @notice Withdraws an announcement of the caller, at least a day before it begins. Reverts MaintenanceTooSoon, NoMaintenance,
    /// TooManyNodes.
    function withdrawMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) external;

    /// @notice ERC-1271, for the calling Market: `digest` is the Market's own over a final downtime, with `signature` = abi.encode(orderId,
    /// total, asOf), or over a reward voucher that the rewarder signed, with `signature` = abi.encode(account, amount, nonce, deadline,
    /// signed).
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);

    function epochSeconds() external view returns (uint256);
    function epochsPerPeriod() external view returns (uint256);
    /// @notice Seconds to commit, and to reveal: an eighth of a period.
    function window() external view returns (uint256);
    /// @notice Seconds from a finding until it is final: half a period.
    function challenge() external view returns (uint256);
    function monitorOf(address account) external view returns (Monitor memory);
    /// @notice What a monitor earned and has not withdrawn, in wei of Credit.
    function earned(address account) external view returns (uint256);
    /// @notice What monitors are paid from, in wei of Credit: the balance of this contract beyond bonds and unpaid earnings. Receives a
    /// share of the Market's commission; anyone may send more.
    function pool() external view returns (uint256);
    /// @notice Where a monitor publishes its reports, as it announced.
    function urlOf(address monitor) external view returns (string memory);
    /// @notice All active monitors, in no particular order.
    function monitors() external view returns (address[] memory);
    /// @notice The monitors drawn for a node in a period: at most ASSIGNED of those that monitored through all of it, never its provider.
    function assigned(address provider, uint64 nodeId, uint64 period) external view returns (address[] memory);
    /// @notice How many of `count` assigned monitors have to agree: more than half, at least two.
    function needed(uint256 count) external pure returns (uint256);
    /// @notice How many of `count` monitors it takes to contest a finding: more than a third, at least two.
    function neededToContest(uint256 count) external pure returns (uint256);
    function findingOf(address market, uint64 orderId, uint64 period) external view returns (Finding memory);
    function downtimeOf(address market, uint64 orderId) external view returns (Downtime memory);
    /// @notice Seconds of an order's final downtime that lie in announced maintenance: the Market charges no penalty for these.
    function maintenanceOf(address market, uint64 orderId) external view returns (uint32);
    /// @notice Epochs of announced maintenance of a node in a period; bit i is epoch i of the period.
    function maintenanceIn(address provider, uint64 nodeId, uint64 period) external view returns (uint256);
    /// @notice The minimum time in seconds between the announcement of maintenance and its start: three periods.
    function maintenanceNotice() external view returns (uint256);
}
