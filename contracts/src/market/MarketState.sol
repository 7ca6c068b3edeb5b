// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketState } from "../interfaces/IMarketState.sol";
import { OrderStatus } from "../types/OrderStatus.sol";

/// @title MarketState
/// @notice All storage of a Market in one place: the Market and its lens inherit it first, so that every variable has the same slot in
/// both.
abstract contract MarketState is IMarketState {
    /// @dev Three slots. What was paid in is A(duration), what the provider earned A(paid), and hardware and prices are those of the node's
    /// revision `rev`, which the Registry never overwrites: none of it is stored twice. The application is in the events only.
    struct Record {
        address user;
        uint40 since; // Unix time of the activation, or of the creation as long as there is none
        uint8 flags; // an OrderStatus and the marks below
        uint16 probation;
        uint8 holdbackHours;
        uint8 penaltyHours;
        uint16 commissionBps;
        // ---
        address provider;
        uint32 nodeId;
        uint32 rev;
        uint32 duration;
        // ---
        uint88 rate;
        uint32 paid; // seconds that the provider was paid for
        uint32 settled; // seconds from `since` up to which the order is settled
        uint32 down;
        uint32 pendingFor; // seconds from the activation to the cancel while payment for them is pending, else 0
        uint32 pendingDown; // downtime at that cancel
    }

    /// @dev What the validator reported of an order. One slot, written by the first report.
    struct Reports {
        uint40 asOf; // the newest report covers the time up to here; 0 if there is none
        uint40 since; // the node was down from here to `asOf` without interruption; 0 if it was up at `asOf`
        uint40 periodFrom; // the first report of the current report period; what it says can still be corrected
        uint32 base; // the downtime before that period, which nothing lowers any more
        uint32 total; // the downtime named by the newest report
        uint32 announced; // seconds of the reported downtime that lie in announced maintenance
        uint24 twice; // seconds of downtime that were additionally paid for out of the pledge
    }

    /// @dev One slot: all that createOrder reads and writes of the Market itself.
    struct Totals {
        uint128 escrow;
        uint32 lastId;
        uint16 probation;
        uint16 commissionBps;
        uint8 holdbackHours;
        uint8 penaltyHours;
    }

    /// @dev The addresses of a Market's contracts.
    struct Modules {
        address access;
        address registry;
        address pledge;
        address credit;
        uint32 firstOrderId;
    }

    uint8 private constant STATUS = 7;
    uint8 internal constant CONFIRMED = 8; // by its user
    uint8 internal constant DEPLOYED = 16; // at least once
    uint8 internal constant ACTIVATED = 32;
    /// @dev Its user cancelled, and nothing else is booked yet: the provider's promise is locked, and what was final is not paid.
    uint8 internal constant UNBOOKED = 64;

    address public immutable access;
    address public immutable registry;
    address public immutable pledge;
    address public immutable credit;
    uint64 public immutable firstOrderId;

    Totals internal _totals;
    mapping(uint64 id => Record) internal _orders;
    mapping(uint64 id => Reports) internal _reports;

    uint96 internal _rewardDayCap;
    uint16 internal _interestShare;
    uint16 internal _monitorShare;
    /// @dev What vouchers paid in each of the last spans of time; see {RewardSpans}.
    uint256 internal _rewarded;
    uint128 internal _commission;
    uint128 internal _rewards;
    mapping(address provider => uint256) public earned;
    mapping(address account => uint256) public nonces;

    constructor(Modules memory modules) {
        access = modules.access;
        registry = modules.registry;
        pledge = modules.pledge;
        credit = modules.credit;
        firstOrderId = modules.firstOrderId;
    }

    function _status(Record storage o) internal view returns (OrderStatus) {
        return OrderStatus(o.flags & STATUS);
    }

    function _setStatus(Record storage o, OrderStatus status, uint8 mark) internal {
        o.flags = o.flags & ~STATUS | uint8(status) | mark;
    }

    function _isMarked(Record storage o, uint8 mark) internal view returns (bool) {
        return o.flags & mark != 0;
    }

    function _mark(Record storage o, uint8 mark) internal {
        o.flags |= mark;
    }
}
