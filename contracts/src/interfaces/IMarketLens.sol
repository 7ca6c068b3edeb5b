// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "./IMarket.sol";
import { IMarketOffice } from "./IMarketOffice.sol";

/// @title MarketLens
/// @notice What a Market answers without changing anything. The code lies in a contract of its own and runs on the Market's storage: ask the Market.
interface IMarketLens {
    /// @notice What the node costs for `duration` seconds now, and the revision this holds for. Reverts the Registry's NodeNotFound, DurationOutOfBounds.
    function feeOrder(address provider, uint64 nodeId, uint32 duration) external view returns (uint256 fee, uint32 rev);

    /// @notice feeOrder, with the conditions under which the order would run: all that createOrder compares. Reverts as feeOrder.
    function quoteOrder(address provider, uint64 nodeId, uint32 duration)
        external
        view
        returns (uint256 fee, uint32 rev, IMarket.Conditions memory conditions);

    /// @notice What extending order `id` by `dur` seconds costs. Reverts OrderNotFound.
    function fee(uint64 id, uint32 dur) external view returns (uint256);

    /// @notice What a cancel in this block does, to the wei. `compensation` comes out of the pledge and is part of `toUser`; `pending` waits for reports: toUser + toProvider + commission + pending == remain + compensation.
    /// Reverts OrderNotFound, WrongStatus, OrderEnded as the cancel does, whoever asks.
    function quoteCancel(uint64 id, bool byProvider)
        external
        view
        returns (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation, uint256 pending);

    /// @notice Order `id`; `id` and all else 0 if there is none.
    function getOrder(uint64 id) external view returns (IMarket.Order memory);

    /// @notice The orders `startId` to `startId + num - 1` as far as they exist, from the first one if `startId` lies below it; `num` <= 100, else PageTooLong.
    function getOrders(uint64 startId, uint256 num) external view returns (IMarket.Order[] memory);

    /// @notice Ids of `user`'s orders, newest first, from `cursor` on (0 = from the newest); `num` <= 200. `next` is the cursor of the next page, 0 at the end. Reverts BadCursor, PageTooLong.
    function getKeys(address user, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next);

    /// @notice Ids of the orders that `provider` sold, like getKeys. Reverts BadCursor, PageTooLong.
    function getProList(address provider, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next);

    /// @notice Commission not yet taken.
    function commission() external view returns (uint256);

    /// @notice What is left in the pool of rewards.
    function rewards() external view returns (uint256);

    /// @notice What vouchers may still pay now: the cap without what they paid in the last 24 h, counted in spans of 8 h.
    function rewardsLeftToday() external view returns (uint256);

    /// @notice The parameters of new orders.
    function params() external view returns (IMarket.Params memory);
}

/// @notice All that can be asked of a Market and sent to it at its one address.
interface IMarketWithLens is IMarket, IMarketOffice, IMarketLens { }
