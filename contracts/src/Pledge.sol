// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IPledge } from "./interfaces/IPledge.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { MIN_PLEDGE, RECLAIM_NOTICE, RECLAIM_VALID } from "./types/Constants.sol";
import { Service } from "./types/Service.sol";

/// @title Pledge
/// @dev See {IPledge}. Interest accrues through one index for all accounts, so the cost of a call does not depend on their number. Only
/// what is locked behind orders earns interest: a pledge that backs nothing risks nothing.
contract Pledge is Ownable2Step, IPledge {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint256 private constant MAX_PAGE = 200;
    uint256 private constant MAX_RATE_PER_YEAR = 1e18;
    uint256 private constant YEAR = 365 days;
    uint256 private constant INDEX_ONE = 1e27;

    struct Account {
        uint96 pledge;
        uint96 locked;
        uint40 lastTime;
        bool exist;
        uint128 index;
        uint128 interest;
    }

    address public immutable access;
    address public immutable registry;
    address public immutable credit;

    uint128 private _index;
    uint128 private _totalPledged;
    // One slot: all that a purchase writes here while the pool is empty.
    uint96 private _totalLocked;
    uint96 private _lockedBefore; // of that, by Markets that drain
    uint40 private _accruedAt;
    // ---
    uint96 private _pool;
    uint96 private _owed;
    uint64 private _rate;
    // ---
    uint96 private _reclaimable;
    uint40 private _reclaimFrom;

    mapping(address => Account) private _accounts;
    /// @dev What a draining Market still has locked.
    mapping(address market => uint96) private _lockedBy;
    address[] private _list;

    constructor(address owner_, address access_, address registry_, address credit_, uint256 rate) Ownable(owner_) {
        access = access_;
        registry = registry_;
        credit = credit_;
        _accruedAt = uint40(block.timestamp);
        _setRate(rate);
    }

    function pledge(address token, uint256 amount) external {
        if (IAccess(access).paused()) revert EntriesPaused();
        if (token != credit) revert WrongToken(token);
        if (amount == 0) revert ZeroAmount();
        Account storage account = _accounts[msg.sender];
        uint256 balance = account.pledge + amount;
        if (balance < MIN_PLEDGE) revert PledgeTooLow(balance, MIN_PLEDGE);

        _sync(account);
        if (!account.exist) {
            account.exist = true;
            _list.push(msg.sender);
        }
        account.pledge = balance.toUint96();
        _totalPledged += amount.toUint128();
        emit Pledged(msg.sender, amount, balance);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), amount);
    }

    function unpledge(address token, uint256 amount) external {
        if (token != credit) revert WrongToken(token);
        if (amount == 0) revert ZeroAmount();
        Account storage account = _accounts[msg.sender];
        uint256 free = account.pledge - account.locked;
        if (amount > free) revert InsufficientPledge(amount, free);
        uint256 balance = account.pledge - amount;
        if (balance == 0) {
            uint32 nodes = IRegistry(registry).nodesOf(msg.sender);
            if (nodes != 0) revert NodesListed(nodes);
        } else if (balance < MIN_PLEDGE) {
            revert PledgeTooLow(balance, MIN_PLEDGE);
        }

        _sync(account);
        _reduce(account, amount);
        emit Unpledged(msg.sender, amount, balance);

        IERC20(credit).safeTransfer(msg.sender, amount);
    }

    function withdrawInterest() external returns (uint256 amount) {
        Account storage account = _accounts[msg.sender];
        _sync(account);
        amount = account.interest;
        if (amount == 0) revert NothingToWithdraw(msg.sender);

        account.interest = 0;
        _owed -= amount.toUint96();
        emit InterestWithdrawn(msg.sender, amount);

        IERC20(credit).safeTransfer(msg.sender, amount);
    }

    function updateInterest() external {
        _accrue();
    }

    function fundInterest(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();

        _accrue();
        _pool += amount.toUint96();
        emit InterestFunded(msg.sender, amount);

        IERC20(credit).safeTransferFrom(msg.sender, address(this), amount);
    }

    function setRate(uint256 rate) external onlyOwner {
        _accrue();
        _setRate(rate);
    }

    function announceReclaim(uint256 amount) external onlyOwner {
        uint40 from = uint40(block.timestamp) + RECLAIM_NOTICE;
        (_reclaimable, _reclaimFrom) = (amount.toUint96(), from);
        emit ReclaimAnnounced(amount, from);
    }

    function reclaimInterest() external onlyOwner returns (uint256 amount) {
        uint40 from = _reclaimFrom;
        bool isOpen = block.timestamp >= from && block.timestamp < from + RECLAIM_VALID;
        if (_reclaimable == 0 || !isOpen) revert NotAnnounced(_reclaimable, from);
        _accrue();
        amount = _reclaimable < _pool ? _reclaimable : _pool;
        address to = IAccess(access).treasury();

        _reclaimable = 0;
        _pool -= amount.toUint96();
        emit InterestReclaimed(to, amount);

        IERC20(credit).safeTransfer(to, amount);
    }

    function drain(address market) external {
        if (msg.sender != access) revert NotAccess(msg.sender);
        uint96 locked = _totalLocked - _lockedBefore;

        _lockedBefore = _totalLocked;
        _lockedBy[market] = locked;
        emit MarketDrains(market, locked);
    }

    function lock(address account, uint64 orderId, uint256 amount) external {
        if (IRegistry(registry).serviceOf(msg.sender) != Service.Selling) revert NotMarket(msg.sender);
        Account storage a = _accounts[account];
        uint256 pledged = a.pledge;
        if (pledged < MIN_PLEDGE) revert PledgeTooLow(pledged, MIN_PLEDGE);
        uint256 locked = a.locked + amount;
        if (locked > pledged) revert FreePledgeTooLow(amount, pledged - a.locked);

        _setLocked(a, locked, _totalLocked + amount);
        emit Locked(account, orderId, amount, locked);
    }

    function unlock(address account, uint64 orderId, uint256 amount, address to, uint256 compensation) external {
        if (compensation > amount) revert CompensationTooHigh(compensation, amount);
        _requireOwnLocks(amount);
        Account storage a = _accounts[account];
        uint256 locked = a.locked - amount;

        _setLocked(a, locked, _totalLocked - amount);
        emit Unlocked(account, orderId, amount, locked);
        if (compensation == 0) return;
        _reduce(a, compensation);
        emit Compensated(account, to, msg.sender, compensation, a.pledge);

        IERC20(credit).safeTransfer(to, compensation);
    }

    function renounceOwnership() public pure override {
        revert RenounceDisabled();
    }

    function getPledge(address account) public view returns (PledgeInfo memory) {
        Account storage a = _accounts[account];
        return PledgeInfo({
            account: account, pledge: a.pledge, locked: a.locked, interest: getInterest(account), lastTime: a.lastTime, exist: a.exist
        });
    }

    function pledgeOf(address account) external view returns (uint256) {
        return _accounts[account].pledge;
    }

    function freeOf(address account) external view returns (uint256) {
        return _accounts[account].pledge - _accounts[account].locked;
    }

    function getInterest(address account) public view returns (uint256) {
        (uint256 step,) = _pending();
        Account storage a = _accounts[account];
        return _interest(a, _index + step);
    }

    function getRate() external view returns (uint256) {
        return _rate;
    }

    function getList(uint256 start, uint256 num) external view returns (PledgeInfo[] memory list) {
        if (num > MAX_PAGE) revert PageTooLong(num, MAX_PAGE);
        uint256 length = _list.length;
        if (start >= length) return list;
        uint256 size = num < length - start ? num : length - start;
        list = new PledgeInfo[](size);
        for (uint256 i = 0; i < size; ++i) {
            list[i] = getPledge(_list[start + i]);
        }
    }

    function totalPledged() external view returns (uint256) {
        return _totalPledged;
    }

    function totalLocked() external view returns (uint256) {
        return _totalLocked;
    }

    function runway() external view returns (uint256) {
        uint256 perYear = uint256(_totalLocked) * _rate;
        if (perYear == 0) return type(uint256).max;
        (, uint256 used) = _pending();
        return (_pool - used) * YEAR * 1e18 / perYear;
    }

    function pool() external view returns (uint256) {
        return _pool;
    }

    function reclaimable() external view returns (uint256 amount, uint40 from) {
        return (_reclaimable, _reclaimFrom);
    }

    function lockedBy(address market) external view returns (uint256) {
        return _lockedBy[market];
    }

    function owed() external view returns (uint256) {
        return _owed;
    }

    /// @dev A Market unlocks no more than it has locked itself.
    function _requireOwnLocks(uint256 amount) private {
        Service service = IRegistry(registry).serviceOf(msg.sender);
        if (service == Service.None) revert NotMarket(msg.sender);
        bool drains = service == Service.Draining;
        uint96 own = drains ? _lockedBy[msg.sender] : _totalLocked - _lockedBefore;
        if (amount > own) revert NotLocked(amount, own);
        if (!drains) return;

        _lockedBy[msg.sender] = own - amount.toUint96();
        _lockedBefore -= amount.toUint96();
    }

    function _setRate(uint256 rate) private {
        if (rate > MAX_RATE_PER_YEAR) revert RateTooHigh(rate, MAX_RATE_PER_YEAR);

        _rate = rate.toUint64();
        emit RateSet(rate);
    }

    function _setLocked(Account storage account, uint256 locked, uint256 total) private {
        _sync(account);
        account.locked = locked.toUint96();
        _totalLocked = total.toUint96();
    }

    function _reduce(Account storage account, uint256 amount) private {
        account.pledge -= amount.toUint96();
        _totalPledged -= amount.toUint128();
    }

    function _sync(Account storage account) private {
        _accrue();
        account.interest = _interest(account, _index).toUint128();
        account.index = _index;
        account.lastTime = uint40(block.timestamp);
    }

    function _accrue() private {
        (uint256 step, uint256 used) = _pending();
        _accruedAt = uint40(block.timestamp);
        if (used == 0) return;

        _pool -= used.toUint96();
        _owed += used.toUint96();
        _index += step.toUint128();
        emit InterestAccrued(_index, used, uint40(block.timestamp));
    }

    /// @dev Since the last booking: the growth of the index, and what that takes out of the pool. Rounded so that accounts together never
    /// get more than `used`.
    function _pending() private view returns (uint256 step, uint256 used) {
        uint256 total = _totalLocked;
        if (total == 0) return (0, 0);
        uint256 want = total * _rate * (block.timestamp - _accruedAt) / (YEAR * 1e18);
        if (want > _pool) want = _pool;
        step = want * INDEX_ONE / total;
        used = (step * total + INDEX_ONE - 1) / INDEX_ONE;
    }

    function _interest(Account storage account, uint256 index) private view returns (uint256) {
        return account.interest + uint256(account.locked) * (index - account.index) / INDEX_ONE;
    }
}
