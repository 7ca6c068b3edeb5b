// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev The month of every price: 30 days, in seconds.
uint32 constant MONTH = 2_592_000;
/// @dev The shortest and the longest time an order may still have ahead of it, in seconds.
uint32 constant MIN_DURATION = MONTH;
uint32 constant MAX_DURATION = 120 * MONTH;
/// @dev The least a provider must have pledged to sell, in wei of Credit: 1 USD.
uint256 constant MIN_PLEDGE = 1e18;
/// @dev How long a provider has to activate an order, in seconds.
uint32 constant START = 24 hours;
/// @dev With more credited downtime than this, half a week, a provider may drop an order without a penalty, in seconds.
uint32 constant EXCUSED_DOWNTIME = 84 hours;
/// @dev The time that one report speaks of, in seconds: what it says can be corrected for as long.
uint32 constant REPORT_PERIOD = 8 hours;
/// @dev How long a cancelled order's last hours wait for a report, in seconds. Monitors need up to 14 hours: 8 until their period is over, 2 to report, 4 to be challenged.
uint32 constant PENDING_PERIOD = 24 hours;
/// @dev Downtime beyond this much of an order's month, 0.5 %, is paid once more out of the pledge, in seconds.
uint32 constant ALLOWED_DOWNTIME = MONTH / 200;
/// @dev After being away for this long without interruption, in seconds, a provider has dropped its order.
uint32 constant LOST_AFTER = 24 hours;
/// @dev Bound of every single price and of a node's rate per MONTH, in wei of Credit (exclusive).
uint256 constant MAX_RATE = 1 << 88;
/// @dev Prices are multiples of this many wei, so that four of them fit one slot.
uint256 constant GWEI = 1e9;
/// @dev How long a version of the market is announced before it can be published, and for how long it can then be, in seconds.
uint40 constant VERSION_NOTICE = 7 days;
uint40 constant VERSION_VALID = 14 days;
/// @dev How long it is announced that money leaves the pool of interest, in seconds.
uint40 constant RECLAIM_NOTICE = 30 days;
/// @dev The chain of a market on one machine. Only there may the owner create Credit that no gate stands behind, and publish without notice.
uint256 constant DEVELOPMENT_CHAIN = 2985;
