// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "./IMarket.sol";

/// @title Purse
/// @notice Holds the Credit of one owner and is the user of the orders it pays. Its owner grants keys that spend within limits: only to
/// the Market, for orders of this purse, and what is not used comes back here. Money leaves to the Market's escrow, to the owner, and
/// within a limit to whoever renews an order.
/// @dev Amounts are wei of Credit, times are seconds. A refund needs nobody's action; {reckon} only makes a key's budget follow it.
interface IPurse {
    /// @notice What a key may do. A limit of type(uint96).max is none.
    struct Limits {
        uint96 total; // what it may spend at once; refunds of what it paid count again
        uint96 refill; // what is added per day, up to `total`
        uint96 maxRate; // highest price of a machine, in wei per MONTH
        uint96 maxGpuHour; // highest price per GPU and hour, in wei; machines without a GPU have none
        uint24 maxTerm; // the longest time, in hours, that an order may have ahead of it
        uint40 validUntil; // Unix time
        uint8 rights; // a sum of Rights, see RIGHT_BUY and its siblings
    }

    /// @notice A grant as it is now.
    struct Grant {
        uint32 id; // 0 if there is none
        address key;
        bool isRevoked;
        uint96 left; // what the key may spend now
        Limits limits;
    }

    /// @notice What a key paid for an order, and how much of it counts in its budget again.
    struct Payment {
        uint32 grantId; // whose key may act for the order; 0: only the owner
        uint96 paid;
        uint96 returned;
    }

    /// @notice An order that is to be kept alive. `step` is 0 if it is not.
    struct Standing {
        uint96 maxRate; // wei per MONTH
        uint96 maxTip; // the most that whoever renews it gets each time
        uint40 until; // Unix time after which it is not renewed
        uint24 step; // hours of each extension
    }

    /// @notice The key may spend under `limits`, at `providers`, or at all of them if its rights say so.
    event Granted(uint32 indexed id, address indexed key, Limits limits, address[] providers);
    /// @notice The limits of a grant changed. What it has spent stays spent.
    event GrantChanged(uint32 indexed id, address indexed key, Limits limits, address[] providers);
    event Revoked(uint32 indexed id, address indexed key);
    /// @notice `by`, a key or the owner, paid `amount` for a new order; `grantId` is 0 for the owner.
    event Bought(uint64 indexed orderId, uint32 indexed grantId, address indexed by, uint256 amount);
    event Extended(uint64 indexed orderId, uint32 indexed grantId, address indexed by, uint256 amount);
    event Ended(uint64 indexed orderId, address indexed by);
    /// @notice Order `from` continues as `orderId` in the current Market.
    event Moved(uint64 indexed from, uint64 indexed orderId, address indexed by);
    /// @notice `amount` of what the grant paid for the order was refunded and counts in its budget again.
    event Returned(uint64 indexed orderId, uint32 indexed grantId, uint256 amount);
    /// @notice The key of the grant may act for the order, which the owner paid.
    event Assigned(uint64 indexed orderId, uint32 indexed grantId);
    event Kept(uint64 indexed orderId, Standing standing);
    /// @notice `by` extended the order as its owner had asked; `amount` went to escrow and `tip` to `by`.
    event Renewed(uint64 indexed orderId, address indexed by, uint256 amount, uint256 tip);
    event Withdrawn(address indexed token, uint256 amount);

    /// @notice `caller` is not the owner.
    error NotPurseOwner(address caller);
    /// @notice `key` has no grant, or it was revoked or has expired.
    error KeyNotValid(address key);
    /// @notice `key` has a grant: change or revoke that.
    error KeyInUse(address key);
    /// @notice A grant is for an account, and names at most `max` providers.
    error GrantMalformed(uint256 max);
    /// @notice The grant of `key` does not have the right `right`.
    error RightMissing(address key, uint8 right);
    /// @notice Order `id` is not one for which `key` may act.
    error OtherKeysOrder(uint64 id, address key);
    /// @notice A key that is still granted paid for order `id`, so it stays that key's.
    error PaidByKey(uint64 id);
    /// @notice The key may not use this provider.
    error ProviderNotGranted(address provider);
    /// @notice The machine costs more than `max`: per MONTH, or per GPU and hour if `perGpuHour`.
    error PriceAboveLimit(uint256 max, bool perGpuHour);
    /// @notice The order would have `ahead` seconds ahead of it, more than `max`.
    error TermAboveLimit(uint256 ahead, uint256 max);
    /// @notice It costs `amount`, and the key has `left` to spend.
    error BudgetTooLow(uint256 amount, uint256 left);
    /// @notice Order `id` is not to be kept alive, or not for longer.
    error NothingToRenew(uint64 id);
    /// @notice Order `id` is renewed from the Unix time `opens` on.
    error TooEarlyToRenew(uint64 id, uint256 opens);

    /// @notice Who withdraws, grants and revokes.
    function owner() external view returns (address);

    /// @notice Lets `key` spend under `limits` at these providers (none are needed with RIGHT_ANY_PROVIDER). Owner only.
    /// @dev Reverts NotPurseOwner, GrantMalformed, KeyInUse.
    /// @return id the grant
    function grant(address key, Limits calldata limits, address[] calldata providers) external returns (uint32 id);

    /// @notice Replaces limits and providers of a key's grant. What it has spent stays spent, so a change to a lower total cannot be
    /// outrun by spending twice. Owner only. Reverts NotPurseOwner, GrantMalformed, KeyNotValid (also of one that has no grant; an expired
    /// one can be changed).
    function change(address key, Limits calldata limits, address[] calldata providers) external;

    /// @notice Takes every right of `key` at once. Owner only. Reverts NotPurseOwner, KeyNotValid.
    function revoke(address key) external;

    /// @notice Lets a key act for an order that the owner paid, or a key that was revoked since: deploy on it, use its workspace, extend it, end it, as its rights say.
    /// Owner only. Reverts NotPurseOwner, KeyNotValid, PaidByKey.
    function assign(uint64 id, address key) external;

    /// @notice Keeps order `id` alive under `standing`; a step of 0 ends that. Owner only. Reverts NotPurseOwner.
    function keep(uint64 id, Standing calldata standing) external;

    /// @notice Sends `amount` of `token` to the owner. Owner only. Reverts NotPurseOwner and the token's errors.
    function withdraw(address token, uint256 amount) external;

    /// @notice Changes `amount` of Credit into USDT for the owner. Owner only. Reverts NotPurseOwner and the Gate's AmountTooSmall.
    function withdrawUsdt(uint256 amount) external;

    /// @notice Takes `amount` of Credit from the caller with a permit of it for this purse; one that was used already is ignored. Anyone:
    /// the money is the owner's from then on. Credit can also be transferred here, or created here by the Gate. Reverts Credit's errors.
    function depositWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Changes all USDT that was sent here into Credit of this purse. Anyone: it leaves the purse only as Credit does. Whoever pays
    /// by a signed authorization (EIP-3009), as x402 does, can name no more than a receiver. Reverts the Gate's AmountTooSmall.
    /// @return credited Wei of Credit.
    function depositUsdt() external returns (uint256 credited);

    /// @notice Buys a node in the current Market; this purse is the user. Owner, or a key with RIGHT_BUY within its limits.
    /// @dev Reverts KeyNotValid, RightMissing, ProviderNotGranted, TermAboveLimit, PriceAboveLimit, BudgetTooLow, and what createOrder
    /// reverts with.
    function buy(IMarket.OrderInput calldata input) external returns (uint64 id);

    /// @notice Buys a node unless the caller has bought one under the name `purchase` before, whatever became of that order: a program that
    /// does not know whether it has bought asks again and pays once. Where it buys nothing it changes nothing.
    /// @dev Reverts KeyNotValid, RightMissing, ProviderNotGranted, TermAboveLimit, PriceAboveLimit, BudgetTooLow, and what createOrder
    /// reverts with.
    /// @return id the order bought under that name, now or before
    function buyOnce(bytes32 purchase, IMarket.OrderInput calldata input) external returns (uint64 id);

    /// @notice Extends an order by `dur` seconds. Owner, or the key that may act for it, with RIGHT_EXTEND. Reverts as buy, OtherKeysOrder,
    /// and what the Market's extend reverts with.
    function extend(uint64 id, uint32 dur) external;

    /// @notice Ends an order; the refund comes here, and what the key paid of it counts in its budget again. Owner, or the key that may act
    /// for it, with RIGHT_END. Reverts KeyNotValid, RightMissing, OtherKeysOrder, and what userCancel reverts with.
    function end(uint64 id) external;

    /// @notice Continues an order in the current Market. Owner, or the key that may act for it, with RIGHT_EXTEND. What the key paid of the
    /// rest counts for the new order. Reverts KeyNotValid, RightMissing, OtherKeysOrder, and what the Market's move reverts with.
    function move(uint64 id, IMarket.Conditions calldata conditions) external returns (uint64 newId);

    /// @notice Counts what came back of a closed order in the budget of the grant that paid it: never more than that paid, and never above
    /// its total. What the order used is taken as paid by the key first. Anyone. Never reverts for an order of this purse.
    /// @return back what was counted now
    function reckon(uint64 id) external returns (uint96 back);

    /// @notice Extends an order that is to be kept alive, in the last quarter of a step before its end and at most a day before. Anyone. The
    /// caller is paid: nothing when that time begins, rising in a straight line to `maxTip` at the end.
    /// @dev Reverts NothingToRenew, TooEarlyToRenew, PriceAboveLimit, what the Market's extend reverts with, and Credit's errors if the
    /// purse does not hold enough.
    function renew(uint64 id) external;

    /// @notice ERC-1271, for texts of the market only (EIP-191). `signature` is abi.encode(address signer, bytes text, bytes signature of
    /// the signer over ERC-7739's PersonalSign in this purse's domain).
    /// @dev The owner may sign any text; a key deploy texts with RIGHT_DEPLOY, and workspace and sign-in texts with RIGHT_WORKSPACE; those
    /// that name an order, only of orders for which it may act. Reverts if `signature` is not of that form.
    /// @return 0x1626ba7e if the purse stands by it, 0xffffffff if not
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);

    /// @notice The grant of a key; all fields 0 if there is none or it was revoked.
    function grantOf(address key) external view returns (Grant memory);

    /// @notice Grant `id`, revoked ones included; ids count from 1 to {grants}.
    function grantAt(uint32 id) external view returns (Grant memory);
    function grants() external view returns (uint32);

    /// @notice Whether the key may buy from the provider.
    function mayUse(address key, address provider) external view returns (bool);

    /// @notice What a key paid for order `id`.
    function paymentOf(uint64 id) external view returns (Payment memory);

    /// @notice The order that `by` bought under the name `purchase`; 0 if it has bought none.
    function boughtOnce(address by, bytes32 purchase) external view returns (uint64 id);

    /// @notice How order `id` is kept alive.
    function standingOf(uint64 id) external view returns (Standing memory);
}
