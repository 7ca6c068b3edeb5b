// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { OrderStatus } from "../types/OrderStatus.sol";
import { Terms } from "../types/Terms.sol";

/// @title Market
/// @notice Sells whole nodes for a time, holds the money and pays it out by the second.
/// @dev Amounts are wei of Credit, times are seconds, MONTH is 2,592,000 s. With the order's `rate` (wei per MONTH):
/// A(t) = floor(rate * t / MONTH), totalValue = A(duration), end = activateTime + duration,
/// due(T) = max(0, A(max(0, T - activateTime - down)) - remuneration),
/// edge = clamp(now - holdback, activateTime, end): what is due before it is final.
interface IMarket {
    /// @notice What a buyer asks for. `rev` and `maxFee` are the quote it has seen; `app` is at most 31 bytes.
    struct OrderInput {
        address provider;
        uint64 nodeId;
        uint32 rev;
        uint32 duration;
        uint256 maxFee;
        string app;
    }

    /// @notice An EIP-2612 permit of Credit for this Market.
    struct Permit {
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice An order. Everything but remain, remuneration, activateTime, lastSettleTime, duration, totalValue, down, app, status, deployed and the confirmations is fixed at its creation.
    struct Order {
        uint64 id; // 0 if there is no such order
        address user;
        address provider;
        uint64 nodeId;
        string app;
        uint256 totalValue; // wei paid in, extensions included
        uint256 remuneration; // wei the provider earned, commission included
        uint256 remain; // wei still in escrow; 0 in terminal states
        uint256 rate; // wei per MONTH
        uint40 activateTime; // Unix time, 0 until activated
        uint40 lastSettleTime; // Unix time; the time of creation until activated
        uint32 duration; // extensions included
        uint32 down; // downtime that is not paid
        uint32 probation;
        uint32 holdback;
        uint32 penalty;
        uint16 feeBps; // commission in 1/10,000 of what the provider earns
        OrderStatus status; // Expired when Active at or past its end
        bool userConfirm;
        bool providerConfirm;
        bool deployed; // an application was marked deployed once; stays true when it is taken away
        uint16 nCPU;
        uint16 nGPU;
        uint32 nMEM; // GB
        uint32 nDISK; // GB
        uint256 pCPU; // wei per processor and MONTH
        uint256 pGPU; // wei per GPU and MONTH
        uint256 pMEM; // wei per GB and MONTH
        uint256 pDISK; // wei per GB and MONTH
    }

    /// @notice The parameters that an order keeps from its creation.
    struct Conditions {
        uint32 probation;
        uint32 holdback;
        uint32 penalty;
        uint16 feeBps;
    }

    /// @notice The parameters that the next order will be created with.
    struct Params {
        uint16 feeBps;
        uint32 probation;
        uint32 holdback;
        uint32 penalty;
        uint256 rewardDayCap;
    }

    /// @notice `user` paid `totalValue` into escrow and holds the node of `provider` from now on.
    event OrderCreated(
        uint64 indexed id,
        address indexed user,
        address indexed provider,
        uint64 nodeId,
        uint32 rev,
        uint32 duration,
        uint256 totalValue,
        Terms terms,
        Conditions conditions,
        string app
    );
    /// @notice The order's time runs from Unix time `time`.
    event OrderActivated(uint64 indexed id, uint40 time);
    /// @notice An application of this order was marked deployed for the first time, at Unix time `time`: its probation is over.
    event OrderDeployed(uint64 indexed id, uint40 time);
    /// @notice The user ended the probation.
    event OrderConfirmed(uint64 indexed id);
    /// @notice The user paid `paid` more; the order lasts `duration` in all and counts as confirmed.
    event OrderExtended(uint64 indexed id, uint32 duration, uint256 paid);
    /// @notice `gross` was earned for the time up to Unix time `upTo`, of which `commission` is the market's.
    event OrderSettled(uint64 indexed id, uint40 upTo, uint256 gross, uint256 commission);
    /// @notice `total` seconds of the order are not paid, by a statement of the validator about the time up to `asOf`.
    event DowntimeCredited(uint64 indexed id, uint32 total, uint40 asOf);
    /// @notice The order ended as `status` at Unix time `time`, and `refunded` left escrow for the user.
    event OrderClosed(uint64 indexed id, OrderStatus status, uint40 time, uint256 refunded);
    /// @notice The provider dropped the order or never started it and paid the user `fromPledge` out of what was locked of its pledge.
    event BuyerCompensated(uint64 indexed id, uint256 fromPledge);
    event AppSet(uint64 indexed id, string app);
    event ProviderWithdrawn(address indexed provider, address indexed to, uint256 amount);
    event CommissionTaken(address indexed treasury, uint256 amount);
    event RewardsFunded(address indexed from, uint256 amount);
    event VoucherPaid(address indexed account, uint256 amount, uint256 nonce);
    /// @notice The parameter `name` ("feeBps", "probation", "holdback", "penalty", "rewardDayCap") is `value` for new orders.
    event ParamSet(bytes32 indexed name, uint256 value);

    /// @notice There is no order `id` in this Market.
    error OrderNotFound(uint64 id);
    /// @notice The order's status does not allow this.
    error WrongStatus(uint64 id, OrderStatus status);
    /// @notice `caller` is not the order's user.
    error NotUser(uint64 id, address caller);
    /// @notice `caller` is not the order's provider.
    error NotProvider(uint64 id, address caller);
    /// @notice `caller` is not the Registry of this Market.
    error NotRegistry(address caller);
    /// @notice `caller` is neither the provider `cp` nor its operator (for setApp: nor the user nor the operator).
    error NotOperator(address caller, address cp);
    /// @notice The order is in probation until the Unix time `until`.
    error InProbation(uint64 id, uint40 until);
    /// @notice The order's probation is over.
    error NotInProbation(uint64 id);
    /// @notice The order ended at the Unix time `end`.
    error OrderEnded(uint64 id, uint40 end);
    /// @notice The provider had until the Unix time `until` to activate.
    error StartExpired(uint64 id, uint40 until);
    /// @notice This Market only winds up its orders; buy from `market`.
    error Draining(address market);
    /// @notice The guardian has paused entries.
    error EntriesPaused();
    /// @notice `duration` is not `min` to `max` seconds; an extension may be at most what fits into 120 MONTH with the time still ahead.
    error DurationOutOfBounds(uint256 duration, uint256 min, uint256 max);
    /// @notice A provider cannot buy from itself.
    error OwnNode(address provider);
    /// @notice The order costs `fee`, more than the buyer's `maxFee`.
    error FeeTooHigh(uint256 fee, uint256 maxFee);
    /// @notice The provider has taken the node offline.
    error NodeOffline(address cp, uint64 id);
    /// @notice The buyer has seen revision `want`, the node is at `have`.
    error StaleNode(uint32 want, uint32 have);
    /// @notice An app name has at most `max` bytes.
    error AppTooLong(uint256 length, uint256 max);
    /// @notice The signature is not the validator's over exactly this.
    error BadSignature();
    /// @notice The statement speaks of the Unix time `asOf`, which is yet to come.
    error StatementInFuture(uint40 asOf);
    /// @notice The voucher was good until the Unix time `deadline`.
    error VoucherExpired(uint256 deadline);
    /// @notice Vouchers of `amount` do not fit into what is `left` of today's cap.
    error DayCapExceeded(uint256 amount, uint256 left);
    /// @notice The pool of rewards holds only `rewards`.
    error RewardsTooLow(uint256 amount, uint256 rewards);
    /// @notice There is nothing to withdraw.
    error NothingToWithdraw(address account);
    /// @notice An amount that must be positive is zero.
    error ZeroAmount();
    /// @notice An address that must be set is zero.
    error ZeroAddress();
    /// @notice `caller` does not own Access.
    error NotOwner(address caller);
    /// @notice `caller` is not the treasury.
    error NotTreasury(address caller);
    /// @notice The parameter `name` would be `value`, not `min` to `max`, or not whole hours.
    error ParamOutOfBounds(bytes32 name, uint256 value, uint256 min, uint256 max);
    /// @notice A page may hold at most `max` entries.
    error PageTooLong(uint256 num, uint256 max);
    /// @notice `cursor` is not an order of `account`.
    error BadCursor(address account, uint64 cursor);

    /// @notice Buys a node: takes the fee from the caller (who must have approved it) into escrow and reserves the node.
    /// @dev Frees the node first if the order that holds it can be released, and locks A(penalty) of the provider's pledge until the order is closed.
    /// Reverts Draining, EntriesPaused, AppTooLong, DurationOutOfBounds, OwnNode, FeeTooHigh, the Pledge's PledgeTooLow and FreePledgeTooLow,
    /// the Registry's NodeNotFound, NodeOffline, NodeSold, StaleNode, and Credit's errors.
    /// @return id the new order, Created
    function createOrder(OrderInput calldata input) external returns (uint64 id);

    /// @notice createOrder after spending the permit; a permit that fails (spent by somebody else, say) is ignored if the allowance is there. Reverts as createOrder.
    function createOrderWithPermit(OrderInput calldata input, Permit calldata permit) external returns (uint64 id);

    /// @notice Starts the order's time. Provider or operator, within 24 h of the creation. Reverts OrderNotFound, WrongStatus, NotOperator, StartExpired.
    function activate(uint64 id) external;

    /// @notice Says that the buyer's application `app` is deployed on the node: starts the order's time unless it runs, names the application and marks the node deployed, in one.
    /// @dev Provider or operator, before the end. Reverts OrderNotFound, WrongStatus, NotOperator, StartExpired, OrderEnded, AppTooLong.
    function activateWithApp(uint64 id, string calldata app) external;

    /// @notice Remembers that the order was deployed, which ends its probation for good. Only the Registry, from set_avail. Reverts NotRegistry.
    function markDeployed(uint64 id) external;

    /// @notice Ends the probation. User only. Reverts OrderNotFound, NotUser, WrongStatus, NotInProbation.
    function userConfirm(uint64 id) external;

    /// @notice Buys `dur` more seconds at the order's own prices and confirms it. User only, before the end, node online. At most 120 MONTH may lie ahead.
    /// @dev Takes A(duration + dur) - A(duration). Reverts Draining, EntriesPaused, OrderNotFound, NotUser, WrongStatus, OrderEnded, NodeOffline, DurationOutOfBounds,
    /// SafeCastOverflowedUintDowncast (above 2^96 wei in all, which takes 21 years at the highest rate), and Credit's errors.
    function extend(uint64 id, uint32 dur) external;

    /// @notice extend after spending the permit. Reverts as extend.
    function extendWithPermit(uint64 id, uint32 dur, Permit calldata permit) external;

    /// @notice Names the application that runs on the node. User or operator (the provider too), before the end. Reverts OrderNotFound, WrongStatus, OrderEnded, NotOperator, AppTooLong.
    function setApp(uint64 id, string calldata app) external;

    /// @notice Books what is final for the provider: due(edge). From the end on it lets the node go; from end + holdback on it closes as Completed and refunds the rest. Anyone.
    /// @dev Does nothing if nothing is due. Reverts OrderNotFound, WrongStatus, InProbation.
    function proSettle(uint64 id) external;

    /// @notice proSettle of up to 50 orders, skipping those it would revert for. Reverts PageTooLong.
    function proSettleMany(uint64[] calldata ids) external;

    /// @notice Frees a node that nobody uses: closes an order that was not activated in time as ProviderCancelled, with all the money back to the user and A(1 h) of the provider's pledge; lets the node of an order past its end go. Anyone.
    /// @dev Never reverts; does nothing where there is nothing to do.
    function release(uint64 id) external;

    /// @notice Ends the order. User only. Created: all back. In probation, which the first deployment ends: all back. Else due(now), at most due(end), goes to the provider and the rest back.
    /// @dev Reverts OrderNotFound, NotUser, WrongStatus.
    function userCancel(uint64 id) external;

    /// @notice creditDowntime, then userCancel unless the order closed as Completed already. User only. Reverts OrderNotFound, NotUser, WrongStatus, StatementInFuture, BadSignature.
    function userCancelWith(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) external;

    /// @notice Drops the order. Provider only, before the end. Created or in probation: all back to the user, and A(1 h) out of the pledge.
    /// Else the provider is paid due(now), the user gets the rest back and A(penalty) out of what was locked of the pledge. A penalty of 0 is 0 in both.
    /// @dev Reverts OrderNotFound, NotProvider, WrongStatus, OrderEnded.
    function providerCancel(uint64 id) external;

    /// @notice Applies the validator's EIP-712 statement `Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)`: of the order's time up to `asOf`, `total` seconds are not paid. Anyone.
    /// @dev Outside probation it first does what proSettle does, so it reaches at most the holdback window: down = max(down, min(total, asOf - activateTime - ceil(remuneration * MONTH / rate))).
    /// Changes nothing when that is not more than before, or when the order closes as Completed meanwhile. Reverts OrderNotFound, WrongStatus, StatementInFuture, BadSignature.
    function creditDowntime(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) external;

    /// @notice Pays the caller all it earned. Reverts NothingToWithdraw.
    function proWithdraw() external returns (uint256 amount);

    /// @notice Pays all that the caller earned to `to`. Reverts ZeroAddress, NothingToWithdraw.
    function proWithdrawTo(address to) external returns (uint256 amount);

    /// @notice Pays the caller a reward out of the separate pool. `sig` is abi.encode(uint256 deadline, bytes signature) with the validator's signature over the EIP-712
    /// `Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)`, nonce = nonces(account). Never touches escrow, earnings or pledges.
    /// @dev Reverts ZeroAmount, VoucherExpired, BadSignature, DayCapExceeded, RewardsTooLow.
    function withdraw(uint256 amount, bytes calldata sig) external;

    /// @notice Adds `amount` of the caller's Credit to the pool of rewards. Anyone. Reverts ZeroAmount.
    function fundRewards(uint256 amount) external;

    /// @notice Pays the treasury all commission. Treasury only. Reverts NotTreasury, NothingToWithdraw.
    function takeCommission() external returns (uint256 amount);

    /// @notice Commission on new orders in 1/10,000, at most 1,000. Owner of Access only, like all setters. Reverts NotOwner, ParamOutOfBounds.
    function setFeeBps(uint16 value) external;
    /// @notice Probation of new orders in seconds, at most 24 h. Reverts NotOwner, ParamOutOfBounds.
    function setProbation(uint32 value) external;
    /// @notice Holdback of new orders in seconds: whole hours, at most the penalty. Reverts NotOwner, ParamOutOfBounds.
    function setHoldback(uint32 value) external;
    /// @notice Cancel penalty of new orders in seconds of their price: whole hours, at least the holdback, at most 168 h. Reverts NotOwner, ParamOutOfBounds.
    function setPenalty(uint32 value) external;
    /// @notice The most that vouchers may pay per UTC day, in wei. Reverts NotOwner.
    function setRewardDayCap(uint256 value) external;

    /// @notice What the node costs for `duration` seconds now, and the revision this holds for. Reverts the Registry's NodeNotFound, DurationOutOfBounds.
    function feeOrder(address provider, uint64 nodeId, uint32 duration) external view returns (uint256 fee, uint32 rev);

    /// @notice What extending order `id` by `dur` seconds costs. Reverts OrderNotFound.
    function fee(uint64 id, uint32 dur) external view returns (uint256);

    /// @notice What a cancel in this block does, to the wei. `compensation` comes out of the pledge and is part of `toUser`: toUser + toProvider + commission == remain + compensation.
    /// Reverts OrderNotFound, WrongStatus, OrderEnded as the cancel does, whoever asks.
    function quoteCancel(uint64 id, bool byProvider)
        external
        view
        returns (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation);

    /// @notice Order `id`; `id` and all else 0 if there is none.
    function getOrder(uint64 id) external view returns (Order memory);

    /// @notice The orders `startId` to `startId + num - 1` as far as they exist, from the first one if `startId` lies below it; `num` <= 100, else PageTooLong.
    function getOrders(uint64 startId, uint256 num) external view returns (Order[] memory);

    /// @notice Ids of `user`'s orders, newest first, from `cursor` on (0 = from the newest); `num` <= 200. `next` is the cursor of the next page, 0 at the end. Reverts BadCursor, PageTooLong.
    function getKeys(address user, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next);

    /// @notice Ids of the orders that `provider` sold, like getKeys. Reverts BadCursor, PageTooLong.
    function getProList(address provider, uint64 cursor, uint256 num) external view returns (uint64[] memory ids, uint64 next);

    /// @notice What `provider` earned and has not withdrawn, commission taken off.
    function earned(address provider) external view returns (uint256);

    /// @notice The sum of remain over all live orders. A Market whose escrow is 0 holds no node.
    function escrow() external view returns (uint256);

    /// @notice Commission not yet taken.
    function commission() external view returns (uint256);

    /// @notice What is left in the pool of rewards.
    function rewards() external view returns (uint256);

    /// @notice What vouchers may still pay today (UTC).
    function rewardsLeftToday() external view returns (uint256);

    /// @notice The nonce of `account`'s next voucher.
    function nonces(address account) external view returns (uint256);

    /// @notice The parameters of new orders.
    function params() external view returns (Params memory);

    /// @notice The id of this Market's first order, and of its newest (firstOrderId - 1 if there is none).
    function firstOrderId() external view returns (uint64);
    function lastId() external view returns (uint64);

    /// @notice Access, Registry, Pledge and Credit of this Market.
    function access() external view returns (address);
    function registry() external view returns (address);
    function pledge() external view returns (address);
    function credit() external view returns (address);
}
