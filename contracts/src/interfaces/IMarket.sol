// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { OrderStatus } from "../types/OrderStatus.sol";
import { IMarketState } from "./IMarketState.sol";

/// @title Market
/// @notice Sells whole nodes for a time, holds the money in escrow and pays it out by the second.
/// @dev Amounts are wei of Credit, times are seconds, MONTH is 2,592,000 s. With the order's `rate` (wei per MONTH):
/// A(t) = floor(rate * t / MONTH), totalValue = A(duration), end = activateTime + duration,
/// due(T) = max(0, A(max(0, T - activateTime - down)) - remuneration),
/// edge = clamp(now - holdback, activateTime, end): what is due before it is final.
interface IMarket is IMarketState {
    /// @notice A buyer's request. `rev`, `maxFee` and `conditions` pin the quote it has seen; `app` is at most 31 bytes.
    struct OrderInput {
        address provider;
        uint64 nodeId;
        uint32 rev;
        uint32 duration;
        uint256 maxFee;
        Conditions conditions;
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

    /// @notice An order. Everything but remain, remuneration, activateTime, lastSettleTime, duration, totalValue, down, status, deployed, the confirmations, reportedUntil, downSince and pendingUntil is fixed at its creation.
    struct Order {
        uint64 id; // 0 if there is no such order
        address user;
        address provider;
        uint64 nodeId;
        uint256 totalValue; // wei paid in, extensions included
        uint256 remuneration; // wei the provider earned, commission included
        uint256 remain; // wei still in escrow; in terminal states what is pending, else 0
        uint256 rate; // wei per MONTH
        uint40 activateTime; // Unix time, 0 until activated
        uint40 lastSettleTime; // Unix time; the time of creation until activated
        uint32 duration; // extensions included
        uint32 down; // downtime that is not paid
        uint32 probation;
        uint32 holdback;
        uint32 penalty;
        uint16 commissionBps; // commission in 1/10,000 of what the provider earns
        OrderStatus status; // Expired when Active at or past its end
        bool userConfirm;
        bool providerConfirm;
        bool deployed; // an application was marked deployed once; stays true when it is removed
        uint16 nCPU;
        uint16 nGPU;
        uint32 nMEM; // GB
        uint32 nDISK; // GB
        uint256 pCPU; // wei per processor and MONTH
        uint256 pGPU; // wei per GPU and MONTH
        uint256 pMEM; // wei per GB and MONTH
        uint256 pDISK; // wei per GB and MONTH
        uint40 reportedUntil; // Unix time up to which final reports cover the order; 0 if none does
        uint40 downSince; // Unix time since which they show the node down without interruption; 0 if it is up
        uint40 pendingUntil; // Unix time; after a cancel, `remain` waits until then at most for reports; 0 if nothing is pending
        uint32 creditedTwice; // seconds of downtime that were additionally paid for out of the provider's pledge
        uint256 locked; // wei of the provider's pledge that are locked for it
    }

    /// @notice The parameters that an order keeps from its creation.
    struct Conditions {
        uint32 probation;
        uint32 holdback;
        uint32 penalty;
        uint16 commissionBps;
    }

    /// @notice The parameters that the next order will be created with.
    struct Params {
        uint16 commissionBps;
        uint32 probation;
        uint32 holdback;
        uint32 penalty;
        uint256 rewardDayCap;
        uint16 interestShare; // share of the commission, in 1/10,000, for the pool that interest on pledges is paid from
        uint16 monitorShare; // share of the commission, in 1/10,000, for the validator: Monitors pays monitors from it
    }

    /// @notice The rest of an order that its user moves out of a draining Market.
    struct Move {
        uint64 from; // the order's id in the old Market
        address user;
        bool deployed;
        OrderInput order; // for the remaining seconds, at what the old Market pays for them
    }

    /// @notice `user` paid `totalValue` into escrow and holds the node of `provider` from now on, at `rate` per MONTH. Hardware and prices are
    /// those of the node at its revision `rev`.
    event OrderCreated(
        uint64 indexed id,
        address indexed user,
        address indexed provider,
        uint64 nodeId,
        uint32 rev,
        uint32 duration,
        uint256 totalValue,
        uint256 rate,
        Conditions conditions,
        string app
    );
    /// @notice Order `id` continues order `from` of an earlier Market: its time is already running, without a probation.
    event OrderMoved(uint64 indexed from, uint64 indexed id);
    /// @notice The order's time runs from Unix time `time`.
    event OrderActivated(uint64 indexed id, uint40 time);
    /// @notice An application of this order was marked deployed for the first time, at Unix time `time`: its probation is over.
    event OrderDeployed(uint64 indexed id, uint40 time);
    /// @notice The user ended the probation.
    event OrderConfirmed(uint64 indexed id);
    /// @notice `by` paid `paid` more; the order now lasts `duration` in total, and counts as confirmed if `by` is its user.
    event OrderExtended(uint64 indexed id, address indexed by, uint32 duration, uint256 paid);
    /// @notice `gross` was earned for the time up to Unix time `upTo`, of which `commission` is the market's.
    event OrderSettled(uint64 indexed id, uint40 upTo, uint256 gross, uint256 commission);
    /// @notice The validator reported the time up to `asOf`: `total` seconds of the order are not paid, and the node has been down since
    /// `since`, 0 if it was up.
    event DowntimeCredited(uint64 indexed id, uint32 total, uint40 asOf, uint40 since);
    /// @notice User or provider cancelled; `amount` of what the provider is due stays in escrow until a report covers the cancel, at most
    /// until Unix time `until`. Emitted again once what was final at a user's cancel is paid.
    event PaymentPending(uint64 indexed id, uint256 amount, uint40 until);
    /// @notice The pending payment was decided: OrderSettled has what the provider earned, and `refunded` left escrow for the user.
    event PendingSettled(uint64 indexed id, uint256 refunded);
    /// @notice The order ended as `status` at Unix time `time`, and `refunded` left escrow for the user.
    event OrderClosed(uint64 indexed id, OrderStatus status, uint40 time, uint256 refunded);
    /// @notice The provider dropped the order or never started it and paid the user `fromPledge` out of its locked pledge.
    event BuyerCompensated(uint64 indexed id, uint256 fromPledge);
    /// @notice In total, `total` seconds of the order's downtime have additionally been paid for: the user got `amount` for the newest of
    /// them, out of the provider's locked pledge.
    event DowntimeCompensated(uint64 indexed id, uint32 total, uint256 amount);
    event AppSet(uint64 indexed id, string app);
    event ProviderWithdrawn(address indexed provider, address indexed to, uint256 amount);
    /// @notice Of the commission, `amount` went to the treasury, `toInterest` to the pool that interest on pledges is paid from, and
    /// `toMonitors` to the validator.
    event CommissionTaken(address indexed treasury, uint256 amount, uint256 toInterest, uint256 toMonitors);
    event RewardsFunded(address indexed from, uint256 amount);
    event VoucherPaid(address indexed account, uint256 amount, uint256 nonce);
    /// @notice The parameter `name` ("commissionBps", "probation", "holdback", "penalty", "rewardDayCap", "interestShare", "monitorShare")
    /// is `value` for new orders.
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
    /// @notice The order's probation is over.
    error NotInProbation(uint64 id);
    /// @notice The order ended at the Unix time `end`.
    error OrderEnded(uint64 id, uint40 end);
    /// @notice The provider had until the Unix time `until` to activate.
    error StartExpired(uint64 id, uint40 until);
    /// @notice The conditions of new orders are `have`, not those the buyer has seen.
    error ConditionsChanged(Conditions have);
    /// @notice This Market is the current one: there is none to move an order to.
    error NowhereToMove();
    /// @notice `caller` is not a draining Market.
    error NotDraining(address caller);
    /// @notice This Market is only winding up its orders; buy from `market`.
    error Draining(address market);
    /// @notice The guardian has paused entries.
    error EntriesPaused();
    /// @notice `duration` is not within `min` to `max` seconds. `min` is an hour, for a new order the node's shortest term if that is
    /// longer; after an extension, at most 120 MONTH may lie ahead.
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
    /// @notice The statement is about the Unix time `asOf`, which lies in the future.
    error StatementInFuture(uint40 asOf);
    /// @notice The reports do not show the node down for 24 h without interruption: as of `asOf` it has been down since `since`, 0 if it
    /// was up.
    error NotDownForADay(uint64 id, uint40 since, uint40 asOf);
    /// @notice The voucher was valid until the Unix time `deadline`.
    error VoucherExpired(uint256 deadline);
    /// @notice Vouchers of `amount` exceed what is `left` of the day's cap.
    error DayCapExceeded(uint256 amount, uint256 left);
    /// @notice The pool of rewards holds only `rewards`.
    error RewardsTooLow(uint256 amount, uint256 rewards);
    /// @notice There is nothing to withdraw.
    error NothingToWithdraw(address account);
    /// @notice An amount that must be positive is zero.
    error ZeroAmount();
    /// @notice An address that must be set is zero.
    error ZeroAddress();
    /// @notice `caller` is not the owner of Access.
    error NotOwner(address caller);
    /// @notice `caller` is not the treasury.
    error NotTreasury(address caller);
    /// @notice The parameter `name` would be `value`, which is not within `min` to `max`, or not whole hours.
    error ParamOutOfBounds(bytes32 name, uint256 value, uint256 min, uint256 max);
    /// @notice A page may hold at most `max` entries.
    error PageTooLong(uint256 num, uint256 max);

    /// @notice Buys a node: takes the fee from the caller (who must have approved it) into escrow and reserves the node.
    /// @dev First frees the node if the order that holds it can be released, and locks A(penalty) of the provider's pledge until the order
    /// is closed. Reverts Draining, EntriesPaused, ConditionsChanged, AppTooLong, DurationOutOfBounds, OwnNode, FeeTooHigh, the Pledge's
    /// PledgeTooLow and FreePledgeTooLow, the Registry's NodeNotFound, NodeOffline, NodeSold, StaleNode, and Credit's errors.
    /// @return id the new order, Created
    function createOrder(OrderInput calldata input) external returns (uint64 id);

    /// @notice createOrder after using the permit; a permit that fails (because somebody else used it, say) is ignored if the allowance is
    /// there. Reverts as createOrder.
    function createOrderWithPermit(OrderInput calldata input, Permit calldata permit) external returns (uint64 id);

    /// @notice Starts the order's time. Provider or operator, within 24 h of the creation. Reverts OrderNotFound, WrongStatus, NotOperator,
    /// StartExpired.
    function activate(uint64 id) external;

    /// @notice Records that the buyer's application `app` is deployed on the node: atomically starts the order's time unless it is running,
    /// names the application and marks the node deployed.
    /// @dev Provider or operator, before the end. Reverts OrderNotFound, WrongStatus, NotOperator, StartExpired, OrderEnded, AppTooLong.
    function activateWithApp(uint64 id, string calldata app) external;

    /// @notice Records that the order was deployed, which ends its probation for good. Only the Registry, from set_avail. Reverts
    /// NotRegistry.
    function markDeployed(uint64 id) external;

    /// @notice Buys `dur` more seconds, at least an hour, at the order's own prices; if the caller is its user, this confirms it. Anyone,
    /// before the end, node online: whoever pays for another's order gives to its user, to whom every refund goes. At most 120 MONTH may
    /// lie ahead.
    /// @dev Takes A(duration + dur) - A(duration). Reverts Draining, EntriesPaused, OrderNotFound, WrongStatus, OrderEnded,
    /// NodeOffline, DurationOutOfBounds, SafeCastOverflowedUintDowncast (above 2^96 wei in total, which takes 21 years at the highest
    /// rate), and Credit's errors.
    function extend(uint64 id, uint32 dur) external;

    /// @notice extend after using the permit. Reverts as extend.
    function extendWithPermit(uint64 id, uint32 dur, Permit calldata permit) external;

    /// @notice Continues the rest of an order in the current Market, at the order's own prices and under the `conditions` that the user has
    /// seen there. User only, once this Market drains, while the order is running.
    /// @dev Here it ends as by userCancel; there it runs for the remaining time, confirmed, with its application. That never costs more
    /// than what is left; the difference is refunded to the user. Reverts OrderNotFound, NotUser, WrongStatus, OrderEnded, NowhereToMove,
    /// ConditionsChanged, and what takeOver reverts with.
    /// @return newId the order in the current Market
    function move(uint64 id, Conditions calldata conditions) external returns (uint64 newId);

    /// @notice Takes over an order that its user moves here, with what was paid for it. Only a draining Market over the same Registry, from
    /// move.
    /// @dev Reverts Draining, EntriesPaused, NotDraining, ConditionsChanged, FeeTooHigh, the Pledge's and the Registry's errors as createOrder does.
    function takeOver(Move calldata input) external returns (uint64 id);

    /// @notice Books what is final for the provider: due(edge). From the end on it frees the node; from end + holdback on it closes as
    /// Completed and refunds the rest, or as closeForDowntime does where that is possible. For a cancelled order it pays what was final
    /// and unlocks the pledge, unless the cancel did, and books what is pending once that is decided. Anyone.
    /// @dev Does nothing if nothing is due. Reverts OrderNotFound, WrongStatus.
    function proSettle(uint64 id) external;

    /// @notice proSettle of up to 50 orders, skipping those it would revert for. Reverts PageTooLong.
    function proSettleMany(uint64[] calldata ids) external;

    /// @notice Frees an unused node: closes an order that was not activated in time as ProviderCancelled, with a full refund to the user
    /// and A(1 h) of the provider's pledge; frees the node of an order past its end. Anyone.
    /// @dev Never reverts; does nothing if there is nothing to do.
    function release(uint64 id) external;

    /// @notice Ends the order. User only. Created: full refund, and what release does once the start was missed. In probation, which the
    /// first deployment ends: due(now) goes to the provider, the rest is refunded. Where closeForDowntime is possible: that. Else due(u)
    /// goes to the provider, where u is the edge or the newest report, whichever is later;
    /// due(now) - due(u) waits for at most 24 h for a report of the time up to now, and the rest is refunded. From the end on: due(end) to
    /// the provider, the rest is refunded.
    /// @dev Where something waits and no report came yet, due(u) stays in escrow and A(penalty) locked until proSettle, which anybody may
    /// call at once: it does then what this would have done. Reverts OrderNotFound, NotUser, WrongStatus.
    function userCancel(uint64 id) external;

    /// @notice creditDowntime, then userCancel unless the order closed as Completed already. User only. Reverts OrderNotFound, NotUser, WrongStatus, StatementInFuture, BadSignature.
    function userCancelWith(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) external;

    /// @notice Drops the order. Provider only, before the end. Created or in probation: due(now) is paid, which is 0 before the
    /// activation, and the user gets the rest back and A(1 h) out of the pledge. Else due(u) is paid and due(now) - due(u) waits as after
    /// userCancel, and the user gets the rest back and A(penalty) out of the locked pledge, unless more than 84 h of downtime are credited for
    /// each month so far, and in the first one. Where closeForDowntime is possible: that. Each is at most what is locked by then.
    /// @dev Reverts OrderNotFound, NotProvider, WrongStatus, OrderEnded.
    function providerCancel(uint64 id) external;

    /// @notice Closes an order whose provider is away, as ProviderCancelled as of the first second of its absence, once reports show that
    /// this lasted 24 h without interruption, and for 14 h from the time that the newest of them covers: by then a report of the next eight
    /// hours would be in. An absence up to the end of the order can be closed as long as the order is open. Anyone.
    /// @dev The provider is paid due(newest report), which is what was due when it went away; the user gets the rest back and A(penalty)
    /// out of the locked pledge. Reverts OrderNotFound, WrongStatus, NotDownForADay.
    function closeForDowntime(uint64 id) external;

    /// @notice Applies the validator's EIP-712 report `Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)`: of the order's time up to `asOf`, `total` seconds are not paid. Anyone.
    /// @dev It first does what proSettle does, so it reaches at most the holdback window: down = max(base, min(total,
    /// min(asOf, end) - activateTime - ceil(remuneration * MONTH / rate))). A later `asOf` counts, and the same one if it says more; else
    /// nothing changes. So a later report can correct an earlier one, for 8 h: `base` is the downtime that was credited before. Time after
    /// the end, or after a cancel, does not count. Also applies to a cancelled order while its payment is pending. Changes nothing if the
    /// order closes meanwhile. Reverts OrderNotFound, WrongStatus, StatementInFuture, BadSignature.
    function creditDowntime(uint64 id, uint32 total, uint40 asOf, bytes calldata sig) external;

    /// @notice The sum of remain over all orders. A Market whose escrow is 0 holds no node.
    function escrow() external view returns (uint256);

    /// @notice The id of this Market's newest order, firstOrderId - 1 if there is none.
    function lastId() external view returns (uint64);

    /// @notice The contract that implements IMarketOffice for this Market.
    function office() external view returns (address);
}
