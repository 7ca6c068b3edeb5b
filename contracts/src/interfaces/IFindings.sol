// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "./IMonitors.sol";
import { IPaced } from "./IPaced.sol";

/// @title Findings
/// @notice What {IMonitors} report becomes downtime, of which this contract vouches as the validator of a Market: anyone submits what
/// enough monitors agree on, more than half of those assigned to the node and at least two, or more than half of all. It is final 4 hours
/// later.
/// @dev Epochs and periods as in {IMonitors}.
interface IFindings is IPaced {
    /// @notice Epochs of downtime of an order: `down` is what enough monitors observed, `proven` what its operator's signatures prove.
    /// Final from Unix time `finalAt` on.
    struct Finding {
        uint96 down;
        uint40 finalAt; // 0 if there is none
        uint8 candidates; // the monitors of the period: an epoch of `down` needs most of those drawn, or of all
        uint8 announced; // how many of `down`, without those of `proven`, are announced maintenance
        bool counted; // it is included in `downtimeOf`
        uint96 proven;
        uint96 contested; // epochs that no vote can find again
    }

    /// @notice What an operator promised to run on an order when the deployment `deployment` started: `spec` is the hash of what the buyer
    /// signed.
    struct Deployment {
        bytes32 deployment;
        bytes32 spec;
        bytes32 image;
        bytes signature;
    }

    /// @notice An operator's attestation in an epoch of the period, for the same deployment, to whichever monitor.
    struct Attested {
        uint8 epoch; // of the period
        bytes32 beacon;
        bool healthy;
        bytes32 image; // the image that actually ran
        address monitor;
        bytes signature;
    }

    /// @notice The final downtime of an order: `total` seconds up to Unix time `asOf`, `maintenance` of them announced. `before` of
    /// them, up to Unix time `since`, were reported by the validator before this one; what of these was announced is part of
    /// `maintenance`.
    struct Downtime {
        uint32 total;
        uint40 asOf;
        uint32 maintenance;
        uint32 before;
        uint40 since;
    }

    /// @notice Enough monitors observed the order down in the epochs `down`, or it is proven; final from Unix time `finalAt` on.
    event Found(address indexed market, uint64 indexed orderId, uint64 indexed period, uint96 down, uint40 finalAt);
    /// @notice More than a third of all monitors, none of them drawn for the node, observed it up in these epochs: the finding in them is
    /// void.
    event Contested(address indexed market, uint64 indexed orderId, uint64 indexed period, uint96 epochs);
    /// @notice The operator attested another image than it promised for this deployment, in `epochs` in total.
    event WrongImage(address indexed market, uint64 indexed orderId, uint64 indexed period, uint96 epochs, bytes32 deployment);
    /// @notice The order has no finding in this period any more: voters were slashed, or it was contested.
    event FindingDropped(address indexed market, uint64 indexed orderId, uint64 indexed period);
    /// @notice `total` seconds of downtime up to Unix time `asOf` are final for the order.
    event DowntimeFinal(address indexed market, uint64 indexed orderId, uint64 indexed period, uint32 total, uint40 asOf);
    /// @notice Of the order's final downtime, `maintenance` seconds lie in announced maintenance.
    event MaintenanceFinal(address indexed market, uint64 indexed orderId, uint64 indexed period, uint32 maintenance);
    /// @notice The node may be down in `epochs` epochs from `firstEpoch` on: unpaid, and without a penalty.
    event MaintenanceAnnounced(address indexed provider, uint64 indexed nodeId, uint64 firstEpoch, uint16 epochs);
    event MaintenanceWithdrawn(address indexed provider, uint64 indexed nodeId, uint64 firstEpoch, uint16 epochs);

    /// @notice `monitor` did not hold a place through the whole period, is the node's provider, or the period's monitors are not drawn yet.
    error NotAssigned(address monitor);
    /// @notice Votes have to be in ascending order of monitors, without duplicates.
    error UnorderedVotes();
    error TooFewVotes(uint256 votes, uint256 needed);
    /// @notice These votes agree on no epoch beyond those already found.
    error NothingFound();
    /// @notice Only a monitor that was active through the whole period, was not drawn for the node, and is not its provider can contest a
    /// finding.
    error NoWitness(address monitor);
    error FindingIsFinal();
    /// @notice The market asks another contract for downtime.
    error NotValidator();
    /// @notice The finding is final from the Unix time `finalAt` on, 0 if there is none.
    error NotFinal(uint40 finalAt);
    error TooManyNodes(uint256 nodes, uint256 max);
    /// @notice Maintenance has to be announced, and withdrawn, at least a day ahead: this epoch begins before Unix time `earliest`.
    error MaintenanceTooSoon(uint64 firstEpoch, uint256 earliest);
    /// @notice Maintenance has at least one epoch, begins within 30 days from now, and lies within one month of 30 days, counted from Unix
    /// time 0.
    error MaintenanceOutOfMonth(uint64 firstEpoch, uint16 epochs);
    /// @notice A node has at most 8 hours of maintenance in any 30 days, and at most `maxWindows` windows that begin in one month.
    error TooMuchMaintenance(uint256 epochs, uint256 max, uint256 maxWindows);
    error NoMaintenance(uint64 nodeId, uint64 firstEpoch, uint16 epochs);
    /// @notice The predecessor has other epochs or periods.
    error OtherPace();

    /// @notice Records the epochs in which enough monitors observed the order down, by these votes and those submitted before: `needed` of
    /// those drawn for the node or, whatever these say, of all that held a place through the period. Anyone, once
    /// roots are revealed, within a day; after the first finding for half of `challenge`, so that the other half is left to contest the last
    /// one. Reverts OutsideWindow, UnorderedVotes, NotAssigned, NotRevealed, NotReported, NothingFound.
    function submit(address market, uint64 orderId, uint64 period, IMonitors.Vote[] calldata votes) external;

    /// @notice Voids a finding in the epochs in which at least `neededToContest` of these reports, none of them of a monitor drawn for the
    /// node, saw it up. Nobody is slashed: the drawn monitors may have been cut off. Anyone, until the finding is final. Reverts
    /// NothingFound, OutsideWindow, TooFewVotes, UnorderedVotes, NoWitness, NotRevealed, NotReported, NoContradiction.
    function contest(address market, uint64 orderId, uint64 period, IMonitors.Vote[] calldata votes) external;

    /// @notice Counts epochs as downtime in which the operator attested another image than it promised for that deployment. The signatures
    /// over Deployment and Attestation are by the operator's key, or the provider's. Anyone, from the end of the period on, until a finding
    /// is final, and initially within a day. Reverts OutsideWindow, BadSignature, NoContradiction, NothingFound.
    function proveWrongImage(address market, uint64 orderId, uint64 period, Deployment calldata deployment, Attested[] calldata attested)
        external;

    /// @notice Adds a final finding to the downtime of its order. Anyone. The votes of monitors slashed over the period count as if they had
    /// not been given: what is left is found by the others. The first one of an order adds to what the validator before this one reported, and
    /// no period of that one is counted again. Reverts NotFinal, FindingIsFinal, NotValidator.
    function finish(address market, uint64 orderId, uint64 period) external;

    /// @notice `finish`, then reports the downtime to the Market, which takes it out of what the order pays. Reverts as finish.
    function credit(address market, uint64 orderId, uint64 period) external;

    /// @notice Announces that nodes of the caller may be down for `epochs` epochs from the start of `firstEpoch`. Downtime in them is
    /// unpaid like any other, but costs no penalty and does not count against the node's reliability. At least a day ahead, at most 8 hours
    /// in any 30 days, at most 50 nodes per call. What was announced to the predecessor counts here too. Reverts NotValidator, MaintenanceTooSoon,
    /// MaintenanceOutOfMonth, TooMuchMaintenance, TooManyNodes.
    function announceMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) external;

    /// @notice Withdraws an announcement of the caller, also one to the predecessor, at least a day before it begins. Reverts
    /// MaintenanceTooSoon, NoMaintenance, TooManyNodes.
    function withdrawMaintenance(uint64[] calldata nodeIds, uint64 firstEpoch, uint16 epochs) external;

    /// @notice Passes on to the monitors' pool what this contract received as the validator's share of the commission. Anyone.
    function fund() external;

    /// @notice ERC-1271, for the calling Market: `digest` is the Market's own over a final downtime, with `signature` = abi.encode(orderId,
    /// total, asOf), or over a reward voucher that the rewarder signed, with `signature` = abi.encode(account, amount, nonce, deadline,
    /// signed).
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);

    /// @notice The validator before this one, whose announced maintenance goes on here; zero for the first.
    function predecessor() external view returns (IFindings);
    /// @notice Whose reports are counted.
    function monitors() external view returns (IMonitors);
    /// @notice Seconds from a finding until it is final: half a period.
    function challenge() external view returns (uint256);
    /// @notice How many of `count` monitors have to agree: more than half, at least two.
    function needed(uint256 count) external pure returns (uint256);
    /// @notice How many of `count` monitors it takes to contest a finding: more than a third, at least two.
    function neededToContest(uint256 count) external pure returns (uint256);
    function findingOf(address market, uint64 orderId, uint64 period) external view returns (Finding memory);
    function downtimeOf(address market, uint64 orderId) external view returns (Downtime memory);
    /// @notice Seconds of an order's final downtime that lie in announced maintenance: the Market charges no penalty for these.
    function maintenanceOf(address market, uint64 orderId) external view returns (uint32);
    /// @notice Epochs of announced maintenance of a node in a period; bit i is epoch i of the period.
    function maintenanceIn(address provider, uint64 nodeId, uint64 period) external view returns (uint256);
    /// @notice The windows of a node that begin in a month of 30 days, counted from Unix time 0. Each has 32 bits: its first epoch, counted
    /// from that of the month, in the upper 16, its number of epochs in the lower; 0 where there is none.
    function maintenanceWindows(address provider, uint64 nodeId, uint64 month) external view returns (uint256);
    /// @notice The minimum time in seconds between the announcement of maintenance and its start: three periods.
    function maintenanceNotice() external view returns (uint256);
}
