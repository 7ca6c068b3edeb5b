// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Set } from "../types/Set.sol";

/// @title Access
/// @notice Knows the contracts of the current and all earlier versions of the market, who holds which role, and whether entries are paused.
/// Clients need only this address and read every other one from here.
interface IAccess {
    /// @notice Guardian pauses entries, Validator signs statements and vouchers, Treasury receives commission.
    enum Role {
        Guardian,
        Validator,
        Treasury
    }

    /// @notice `set` can be published from the Unix time `from` on, for 14 days. Replaces the previous announcement.
    event VersionAnnounced(Set set, uint40 from);
    /// @notice Version `ver` is current from now on. Its Market numbers its orders from `firstOrderId`.
    event VersionPublished(uint32 indexed ver, Set set, uint64 firstOrderId);
    /// @notice `module` has lost all its rights in Registry and Pledge.
    event ModuleRetired(address indexed module);
    /// @notice `account` can be given `role` from Unix time `from` on.
    event RoleAnnounced(Role indexed role, address indexed account, uint40 from);
    /// @notice `account` now holds `role`; the previous holder does not.
    event RoleSet(Role indexed role, address indexed account);
    /// @notice Entries are blocked until the Unix time `until` (exclusive).
    event Paused(address indexed guardian, uint40 until);
    /// @notice Entries were opened before the pause expired.
    event Unpaused();

    /// @notice An address that must be set is zero.
    error ZeroAddress();
    /// @notice `caller` is not the guardian.
    error NotGuardian(address caller);
    /// @notice This guardian may pause again from the Unix time `allowedFrom`.
    error PauseTooSoon(uint40 allowedFrom);
    /// @notice Nothing is paused.
    error NotPaused();
    /// @notice `module` names `found` where the published set has `expected`.
    error NotWired(address module, address found, address expected);
    /// @notice This can be put into effect from the Unix time `from` on, for 14 days; the largest number if it was not announced.
    error NotAnnounced(uint40 from);
    /// @notice The new Market would number from `first` although the previous one has reached, or could reach, `last`.
    error OrderIdsOverlap(uint64 first, uint64 last);
    /// @notice `market` is not a Market in service.
    error NotMarket(address market);
    /// @notice The current Market cannot be retired: publish its successor first.
    error MarketIsCurrent(address market);
    /// @notice `market` still holds `escrow` wei for live orders; it holds no node only when this is zero.
    error MarketNotEmpty(address market, uint256 escrow);
    /// @notice Ownership can be transferred, never renounced.
    error RenounceDisabled();

    /// @notice Announces the version to be published next, so that anyone who objects has seven days to leave. Owner only. Reverts
    /// OwnableUnauthorizedAccount, NotWired.
    function announce(Set calldata set) external;

    /// @notice Publishes the next version, announced at least seven days ago; the first version and those on chain 2985 need no
    /// announcement. Owner only.
    /// @dev From then on the set's Registry accepts orders of the new Market. The previous Market drains: it settles, cancels and releases,
    /// takes no entries, and keeps only the right to free its own nodes and locks. Reverts OwnableUnauthorizedAccount, NotAnnounced,
    /// NotWired unless the five contracts name each other, OrderIdsOverlap unless the new Market's first order id lies above the last one
    /// of the previous Market.
    /// @return ver the number of the new version, counted from 1
    function publish(Set calldata set) external returns (uint32 ver);

    /// @notice Revokes all rights of a drained Market, in Access and in the Registry it was published with. Owner only.
    /// @dev Reverts OwnableUnauthorizedAccount, NotMarket, MarketIsCurrent, MarketNotEmpty.
    function retire(address market) external;

    /// @notice Announces who will hold a role, in place of what was announced for it before; possible in seven days, for 14 days. Zero
    /// withdraws what was announced. Owner only. Reverts OwnableUnauthorizedAccount.
    function announceRole(Role role, address account) external;

    /// @notice Gives a role to `account` (not zero), announced at least seven days ago, replacing its holder: a validator decides what
    /// running orders pay, so their parties can leave before. On chain 2985 no announcement is needed. Owner only. Reverts
    /// OwnableUnauthorizedAccount, NotAnnounced, ZeroAddress.
    function setRole(Role role, address account) external;

    /// @notice Blocks entries (createOrder, extend, register, add_node, pledge), never exits, for 7 days. Guardian only, once per guardian in 30 days.
    /// @dev Reverts NotGuardian, PauseTooSoon.
    function pause() external;

    /// @notice Opens entries before the pause expires. Owner only. Reverts OwnableUnauthorizedAccount, NotPaused.
    function unpause() external;

    /// @notice The number of the current version; 0 before the first is published.
    function CurrentVer() external view returns (uint32);

    /// @notice The contracts of version `ver`; all zero for a version that was never published.
    function addresses(uint32 ver) external view returns (Set memory);

    /// @notice The current version and its contracts.
    function current() external view returns (uint32 ver, Set memory set);

    /// @notice The Market that numbers `orderId`, even if it drains or is retired; zero for an id below the very first.
    function marketOf(uint64 orderId) external view returns (address);

    /// @notice Whether `module` is a published Market that has not been retired.
    function isMarket(address module) external view returns (bool);

    /// @notice What a Market reads before an entry: the current Market and whether entries are paused.
    function gate() external view returns (address market, bool isPaused);

    /// @notice Whether entries are blocked now.
    function paused() external view returns (bool);

    /// @notice The Unix time at which the latest pause ends or ended; 0 if there was none or the owner ended it.
    function pausedUntil() external view returns (uint40);

    /// @notice The owner: a timelock on every chain but 2985.
    function owner() external view returns (address);

    /// @notice May pause entries.
    function guardian() external view returns (address);

    /// @notice Signs downtime statements and reward vouchers: an EOA or an ERC-1271 contract.
    function validator() external view returns (address);

    /// @notice Receives commission.
    function treasury() external view returns (address);
}
