// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Pledge
/// @notice Holds what providers pledge as a promise to their buyers, and pays interest on what is locked behind orders out of a funded pool. Amounts are wei of Credit.
interface IPledge {
    /// @notice One account's pledge, of which `locked` backs its live orders. `interest` is what it could withdraw now (rounded down),
    /// `lastTime` the Unix time up to which its interest is booked.
    struct PledgeInfo {
        address account;
        uint256 pledge;
        uint256 locked;
        uint256 interest;
        uint40 lastTime;
        bool exist;
    }

    /// @notice `account` pledged `amount`; its pledge is now `balance`.
    event Pledged(address indexed account, uint256 amount, uint256 balance);
    /// @notice `account` took `amount` back; its pledge is now `balance`.
    event Unpledged(address indexed account, uint256 amount, uint256 balance);
    /// @notice A Market took `taken` of `account`'s pledge for the buyer `to`; `balance` is left.
    event Compensated(address indexed account, address indexed to, address indexed market, uint256 taken, uint256 balance);
    /// @notice `amount` of `account`'s pledge is now locked behind order `orderId`; `locked` is the total behind all its live orders.
    event Locked(address indexed account, uint64 indexed orderId, uint256 amount, uint256 locked);
    /// @notice Order `orderId` unlocked `amount`, all of it if it was closed; `locked` is left behind this and other orders.
    event Unlocked(address indexed account, uint64 indexed orderId, uint256 amount, uint256 locked);
    /// @notice `used` moved from the pool to what is owed; `index` is the interest of 1 locked wei since the beginning, times 1e27, at Unix
    /// time `time`.
    event InterestAccrued(uint256 index, uint256 used, uint40 time);
    /// @notice `account` was paid `amount` of interest.
    event InterestWithdrawn(address indexed account, uint256 amount);
    /// @notice The interest pool grew by `amount`.
    event InterestFunded(address indexed from, uint256 amount);
    /// @notice Up to `amount` may leave the interest pool from the Unix time `from` on; 0 withdraws the announcement.
    event ReclaimAnnounced(uint256 amount, uint40 from);
    /// @notice `amount` left the interest pool for the treasury.
    event InterestReclaimed(address indexed treasury, uint256 amount);
    /// @notice `market` is winding up its orders from now on, with `locked` locked behind them.
    event MarketDrains(address indexed market, uint256 locked);
    /// @notice The interest rate per year, 1e18 = 100 %, from now on.
    event RateSet(uint256 rate);

    /// @notice `token` is not Credit.
    error WrongToken(address token);
    /// @notice An amount that must be positive is zero.
    error ZeroAmount();
    /// @notice The pledge would be `balance`, neither zero nor at least `min`.
    error PledgeTooLow(uint256 balance, uint256 min);
    /// @notice `amount` is more than the free pledge `balance`.
    error InsufficientPledge(uint256 amount, uint256 balance);
    /// @notice `amount` is to be locked behind an order, but only `free` of the pledge is not locked yet.
    error FreePledgeTooLow(uint256 amount, uint256 free);
    /// @notice A buyer would be paid `compensation`, more than the `amount` that was locked for it.
    error CompensationTooHigh(uint256 compensation, uint256 amount);
    /// @notice The whole pledge cannot be taken back while `nodes` nodes of the account are listed.
    error NodesListed(uint32 nodes);
    /// @notice `rate` is above `max`.
    error RateTooHigh(uint256 rate, uint256 max);
    /// @notice There is nothing to withdraw.
    error NothingToWithdraw(address account);
    /// @notice Only a Market in service may do this, and only one that sells may lock.
    error NotMarket(address caller);
    /// @notice Only Access may do this.
    error NotAccess(address caller);
    /// @notice The Market tried to unlock `amount`, but has locked only `own`.
    error NotLocked(uint256 amount, uint256 own);
    /// @notice The announced withdrawal from the pool is `amount`, from the Unix time `from` on.
    error NotAnnounced(uint256 amount, uint40 from);
    /// @notice The guardian has paused entries.
    error EntriesPaused();
    /// @notice A page may hold at most `max` entries.
    error PageTooLong(uint256 num, uint256 max);
    /// @notice Ownership can be transferred, never renounced.
    error RenounceDisabled();

    /// @notice Adds `amount` to the caller's pledge. `token` must be Credit and approved; the pledge must then be at least 1 USD.
    /// @dev Reverts EntriesPaused, WrongToken, ZeroAmount, PledgeTooLow, and Credit's errors.
    function pledge(address token, uint256 amount) external;

    /// @notice Takes `amount` of the caller's free pledge back, even when entries are paused. The rest must be at least 1 USD, or zero if
    /// the caller lists no node.
    /// @dev Reverts WrongToken, ZeroAmount, InsufficientPledge, PledgeTooLow, NodesListed.
    function unpledge(address token, uint256 amount) external;

    /// @notice Pays the caller all its interest. Reverts NothingToWithdraw.
    function withdrawInterest() external returns (uint256 amount);

    /// @notice Books everybody's interest up to now. Anyone; it changes nobody's interest by more than rounding.
    function updateInterest() external;

    /// @notice Adds `amount` of the caller's Credit to the interest pool. Anyone. Reverts ZeroAmount.
    function fundInterest(uint256 amount) external;

    /// @notice Sets the interest rate per year, 1e18 = 100 % (the maximum). Owner only; interest up to now is booked at the old rate.
    /// Reverts OwnableUnauthorizedAccount, RateTooHigh.
    function setRate(uint256 rate) external;

    /// @notice Announces that up to `amount` leaves the interest pool in 30 days; a later announcement replaces it, 0 withdraws it. Owner
    /// only. Reverts OwnableUnauthorizedAccount.
    function announceReclaim(uint256 amount) external;

    /// @notice Pays the announced amount to the treasury, as far as the pool covers it: interest up to now is booked first and stays. Owner
    /// only, once per announcement.
    /// @dev Reverts OwnableUnauthorizedAccount, NotAnnounced.
    function reclaimInterest() external returns (uint256 amount);

    /// @notice From now on `market` only unlocks what it has locked, and locks nothing. Only Access, when it publishes the next version.
    /// Reverts NotAccess.
    function drain(address market) external;

    /// @notice Locks `amount` of `account`'s pledge behind order `orderId`: what its provider owes for dropping the order can no longer be
    /// taken back, and earns interest. Only a Market that sells.
    /// @dev Reverts NotMarket, PledgeTooLow (below 1 USD), FreePledgeTooLow.
    function lock(address account, uint64 orderId, uint256 amount) external;

    /// @notice Unlocks `amount` behind order `orderId` and pays `compensation` of it to the buyer `to`. Only a Market in service, and only
    /// up to what it has locked in total. May leave less than 1 USD.
    /// @dev Reverts NotMarket, NotLocked, CompensationTooHigh.
    function unlock(address account, uint64 orderId, uint256 amount, address to, uint256 compensation) external;

    /// @notice The pledge and interest of `account`; `exist` is true once it has ever pledged.
    function getPledge(address account) external view returns (PledgeInfo memory);

    /// @notice The pledge of `account`.
    function pledgeOf(address account) external view returns (uint256);

    /// @notice The part of it that is not locked behind an order.
    function freeOf(address account) external view returns (uint256);

    /// @notice The interest that `account` could withdraw now; only what is locked earns interest.
    function getInterest(address account) external view returns (uint256);

    /// @notice The interest rate per year, 1e18 = 100 %.
    function getRate() external view returns (uint256);

    /// @notice A page of all accounts that ever pledged, in the order of their first pledge; `num` <= 200, else PageTooLong; empty past the end.
    function getList(uint256 start, uint256 num) external view returns (PledgeInfo[] memory);

    /// @notice The sum of all pledges.
    function totalPledged() external view returns (uint256);

    /// @notice The sum of what is locked behind orders: what interest is paid on.
    function totalLocked() external view returns (uint256);

    /// @notice How many seconds the pool lasts at the current rate and locks, rounded down; the largest uint256 while nothing accrues.
    function runway() external view returns (uint256);

    /// @notice What is left to pay future interest from, as of the last booking.
    function pool() external view returns (uint256);

    /// @notice The amount announced to leave the pool, and the Unix time from which it may.
    function reclaimable() external view returns (uint256 amount, uint40 from);

    /// @notice What a draining Market still has locked; 0 for any other.
    function lockedBy(address market) external view returns (uint256);

    /// @notice Interest booked and not withdrawn, rounding included: balance == totalPledged + pool + owed.
    function owed() external view returns (uint256);

    /// @notice Access, Registry and Credit of this Pledge.
    function access() external view returns (address);
    function registry() external view returns (address);
    function credit() external view returns (address);
}
