// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "./IMarket.sol";
import { IMarketOffice } from "./IMarketOffice.sol";

/// @title MarketLens
/// @notice The views of a Market. The code is in a contract of its own that runs on the Market's storage: call the Market.
interface IMarketLens {
    /// @notice The current price of the node for `duration` seconds, and the revision it is for. Reverts the Registry's NodeNotFound,
    /// DurationOutOfBounds.
    function feeOrder(address provider, uint64 nodeId, uint32 duration) external view returns (uint256 fee, uint32 rev);

    /// @notice feeOrder, with the conditions of the order: everything that createOrder compares. Reverts as feeOrder.
    function quoteOrder(address provider, uint64 nodeId, uint32 duration)
        external
        view
        returns (uint256 fee, uint32 rev, IMarket.Conditions memory conditions);

    /// @notice The price of extending order `id` by `dur` seconds. Reverts OrderNotFound.
    function fee(uint64 id, uint32 dur) external view returns (uint256);

    /// @notice What a cancel in this block does, exact to the wei; toProvider and commission may be booked only by the proSettle after it.
    /// `compensation` comes out of the pledge and is part of `toUser`;
    /// `pending` waits for reports: toUser + toProvider + commission + pending == remain + compensation. Reverts OrderNotFound,
    /// WrongStatus, OrderEnded as the cancel does, for any caller.
    function quoteCancel(uint64 id, bool byProvider)
        external
        view
        returns (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation, uint256 pending);

    /// @notice Order `id`; all fields 0 if there is none.
    function getOrder(uint64 id) external view returns (IMarket.Order memory);

    /// @notice The orders `startId` to `startId + num - 1` as far as they exist, from the first one if `startId` lies below it; `num` <= 100, else PageTooLong.
    function getOrders(uint64 startId, uint256 num) external view returns (IMarket.Order[] memory);

    /// @notice Ids of `user`'s orders, newest first, from order `cursor` on (0 = the newest); `num` <= 200. `next` is the cursor of the next
    /// page, 0 at the end. Reverts PageTooLong.
    /// @dev Looks through at most 10,000 orders, within 50M gas: a page may hold fewer ids than there are, even none, while `next` is not 0.
    function getKeys(address user, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next);

    /// @notice Ids of the orders that `provider` sold, like getKeys. Reverts PageTooLong.
    function getProList(address provider, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next);

    /// @notice Seconds of the reported downtime of order `id` that lie in announced maintenance: no penalty is charged for these.
    function maintenanceOf(uint64 id) external view returns (uint32);

    /// @notice Commission not yet taken.
    function commission() external view returns (uint256);

    /// @notice The balance of the reward pool.
    function rewards() external view returns (uint256);

    /// @notice What vouchers may still pay now: the cap less what they paid in the last 24 h, counted in spans of 8 h.
    function rewardsLeftToday() external view returns (uint256);

    /// @notice The parameters of new orders.
    function params() external view returns (IMarket.Params memory);
}

/// @notice Everything that can be called on a Market at its address.
interface IMarketWithLens is IMarket, IMarketOffice, IMarketLens { }
