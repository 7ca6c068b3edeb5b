// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev The month of every price: 30 days, in seconds.
uint32 constant MONTH = 2_592_000;
/// @dev The shortest time that can be bought at once, and the longest that an order may have ahead of it, in seconds.
uint32 constant MIN_DURATION = 1 hours;
uint32 constant MAX_DURATION = 120 * MONTH;
/// @dev The most that a provider may ask for as the shortest term of a node, in seconds.
uint32 constant MAX_MIN_TERM = 6 * MONTH;
/// @dev The minimum pledge to sell, in wei of Credit: 1 USD.
uint256 constant MIN_PLEDGE = 1e18;
/// @dev How long a provider has to activate an order, in seconds.
uint32 constant START = 24 hours;
/// @dev Beyond this much credited downtime for each MONTH of an order so far, and for its first one at once, a provider may drop it without
/// a penalty, in seconds: half a week.
uint32 constant EXCUSED_DOWNTIME = 84 hours;
/// @dev For how long a report can be corrected, in seconds.
uint32 constant REPORT_PERIOD = 8 hours;
/// @dev How long a cancelled order's last hours wait for a report, in seconds. Monitors need up to 14 hours: 8 until their period is over, 2 to report, 4 to be challenged.
uint32 constant PENDING_PERIOD = 24 hours;
/// @dev Downtime beyond this part of an order's time so far, 0.5 %, is additionally compensated out of the pledge.
uint32 constant ALLOWED_PART = 200;
/// @dev A provider that is away for this long without interruption has dropped its order, in seconds.
uint32 constant LOST_AFTER = 24 hours;
/// @dev If the node was still away, a report of the next period would be in by now, in seconds: monitors need 8 hours for the period, and
/// 6 to report it and to be challenged.
uint32 constant REPORT_FRESH = 14 hours;
/// @dev Bound of every single price and of a node's rate per MONTH, in wei of Credit (exclusive).
uint256 constant MAX_RATE = 1 << 88;
/// @dev Prices are multiples of this many wei, so that four of them fit one slot.
uint256 constant GWEI = 1e9;
/// @dev How long a version of the market, or the holder of a role, has to be announced before it counts, and for how long it can be
/// put into effect then, in seconds.
uint40 constant VERSION_NOTICE = 7 days;
uint40 constant VERSION_VALID = 14 days;
/// @dev The notice before money leaves the interest pool, and for how long it can leave then, in seconds.
uint40 constant RECLAIM_NOTICE = 30 days;
uint40 constant RECLAIM_VALID = 14 days;
/// @dev The chain of a local market. Only there may the owner mint Credit without a gate behind it, and publish without notice.
uint256 constant DEVELOPMENT_CHAIN = 2985;
/// @dev Monitors that are drawn for a node in a period.
uint256 constant MONITORS_PER_NODE = 5;
