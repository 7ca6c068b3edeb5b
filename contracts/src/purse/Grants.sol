// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { LibClone } from "solady/utils/LibClone.sol";
import { IPurse } from "../interfaces/IPurse.sol";
import { Accrual } from "../libraries/Accrual.sol";
import { RIGHT_ANY_PROVIDER } from "../types/Rights.sol";

/// @title Grants
/// @notice The keys of a purse, what each may do, and what is left of its budget.
abstract contract Grants is IPurse {
    using SafeCast for uint256;

    /// @dev Three slots. `left` is what could be spent at `asOf`; a day later it is `refill` more, up to `total`.
    struct Record {
        uint96 left;
        uint96 total;
        uint40 asOf;
        uint24 maxTerm;
        // ---
        uint96 refill;
        uint96 maxRate;
        uint40 validUntil;
        uint8 rights;
        uint16 list; // the providers are those of this list
        // ---
        uint96 maxGpuHour;
        address key;
    }

    /// @dev What a key wants to pay: `amount` for `time` seconds of a machine. `ahead` are the seconds that the order then has ahead of it.
    struct Cost {
        address provider;
        uint256 amount;
        uint256 time;
        uint256 ahead;
        uint256 gpus;
    }

    uint256 private constant MAX_PROVIDERS = 64;

    uint32 public grants;
    mapping(address key => uint32 id) private _current;
    mapping(uint32 id => Record) private _grants;
    mapping(uint32 id => mapping(uint16 list => mapping(address provider => bool))) private _providers;
    mapping(uint64 orderId => Payment) internal _payments;

    modifier onlyOwner() {
        if (msg.sender != owner()) revert NotPurseOwner(msg.sender);
        _;
    }

    function owner() public view returns (address) {
        return address(bytes20(LibClone.argsOnClone(address(this), 0, 20)));
    }

    function grant(address key, Limits calldata limits, address[] calldata providers) external onlyOwner returns (uint32 id) {
        if (key == address(0)) revert GrantMalformed(MAX_PROVIDERS);
        if (_current[key] != 0) revert KeyInUse(key);
        id = ++grants;
        _current[key] = id;
        Record storage g = _grants[id];
        (g.key, g.left, g.asOf) = (key, limits.total, uint40(block.timestamp));
        _write(id, limits, providers);
        emit Granted(id, key, limits, providers);
    }

    function change(address key, Limits calldata limits, address[] calldata providers) external onlyOwner {
        uint32 id = _currentOf(key);
        Record storage g = _grants[id];
        uint256 unspent = uint256(_left(g)) + limits.total;
        g.left = Math.saturatingSub(unspent, g.total).toUint96();
        g.asOf = uint40(block.timestamp);
        _write(id, limits, providers);
        emit GrantChanged(id, key, limits, providers);
    }

    function revoke(address key) external onlyOwner {
        uint32 id = _currentOf(key);
        delete _current[key];
        emit Revoked(id, key);
    }

    function assign(uint64 id, address key) external onlyOwner {
        Payment memory payment = _payments[id];
        bool isRevoked = _current[_grants[payment.grantId].key] != payment.grantId;
        if (payment.paid != 0 && !isRevoked) revert PaidByKey(id);
        uint32 grantId = _currentOf(key);
        _payments[id] = Payment(grantId, 0, 0);
        emit Assigned(id, grantId);
    }

    function grantOf(address key) external view returns (Grant memory view_) {
        uint32 id = _current[key];
        if (id != 0) view_ = grantAt(id);
    }

    function grantAt(uint32 id) public view returns (Grant memory view_) {
        Record storage g = _grants[id];
        if (g.key == address(0)) return view_;
        (view_.id, view_.key, view_.left) = (id, g.key, _left(g));
        view_.isRevoked = _current[g.key] != id;
        view_.limits = Limits(g.total, g.refill, g.maxRate, g.maxGpuHour, g.maxTerm, g.validUntil, g.rights);
    }

    function mayUse(address key, address provider) external view returns (bool) {
        uint32 id = _current[key];
        return _mayUse(id, _grants[id], provider);
    }

    function paymentOf(uint64 id) external view returns (Payment memory) {
        return _payments[id];
    }

    /// @dev The grant of a key that is valid now and has the right; 0 for the owner, who needs none.
    function _requireRight(uint8 right) internal view returns (uint32 id) {
        if (msg.sender == owner()) return 0;
        id = _validGrant(msg.sender);
        if (id == 0) revert KeyNotValid(msg.sender);
        if (!_has(id, right)) revert RightMissing(msg.sender, right);
    }

    /// @dev The same, for an order: a key acts only for its own.
    function _requireRightTo(uint64 orderId, uint8 right) internal view returns (uint32 id) {
        id = _requireRight(right);
        if (id != 0 && _payments[orderId].grantId != id) revert OtherKeysOrder(orderId, msg.sender);
    }

    /// @dev 0 if the key has no grant now.
    function _validGrant(address key) internal view returns (uint32 id) {
        id = _current[key];
        if (id != 0 && block.timestamp > _grants[id].validUntil) return 0;
    }

    function _has(uint32 id, uint8 right) internal view returns (bool) {
        return _grants[id].rights & right != 0;
    }

    /// @dev Takes the cost out of the budget, if it is within every limit.
    function _charge(uint32 id, Cost memory cost) internal {
        Record storage g = _grants[id];
        uint256 amount = cost.amount;
        if (!_mayUse(id, g, cost.provider)) revert ProviderNotGranted(cost.provider);
        uint256 maxTerm = uint256(g.maxTerm) * 1 hours;
        if (cost.ahead > maxTerm) revert TermAboveLimit(cost.ahead, maxTerm);
        uint256 maxRate = g.maxRate;
        if (amount > Accrual.accrued(maxRate, cost.time)) revert PriceAboveLimit(maxRate, false);
        if (cost.gpus != 0) {
            uint256 maxGpuHour = g.maxGpuHour;
            if (amount * 1 hours > maxGpuHour * cost.gpus * cost.time) revert PriceAboveLimit(maxGpuHour, true);
        }
        uint256 left = _left(g);
        if (amount > left) revert BudgetTooLow(amount, left);
        (g.left, g.asOf) = ((left - amount).toUint96(), uint40(block.timestamp));
    }

    function _giveBack(uint32 id, uint256 amount) internal {
        Record storage g = _grants[id];
        (g.left, g.asOf) = (Math.min(_left(g) + amount, g.total).toUint96(), uint40(block.timestamp));
    }

    function _currentOf(address key) private view returns (uint32 id) {
        id = _current[key];
        if (id == 0) revert KeyNotValid(key);
    }

    function _left(Record storage g) private view returns (uint96) {
        uint256 added = uint256(g.refill) * (block.timestamp - g.asOf) / 1 days;
        return Math.min(g.left + added, g.total).toUint96();
    }

    function _mayUse(uint32 id, Record storage g, address provider) private view returns (bool) {
        return g.rights & RIGHT_ANY_PROVIDER != 0 || _providers[id][g.list][provider];
    }

    function _write(uint32 id, Limits calldata limits, address[] calldata providers) private {
        if (providers.length > MAX_PROVIDERS) revert GrantMalformed(MAX_PROVIDERS);
        Record storage g = _grants[id];
        (g.total, g.refill, g.maxRate, g.maxGpuHour) = (limits.total, limits.refill, limits.maxRate, limits.maxGpuHour);
        (g.maxTerm, g.validUntil, g.rights) = (limits.maxTerm, limits.validUntil, limits.rights);
        uint16 list = ++g.list;
        for (uint256 i = 0; i < providers.length; ++i) {
            _providers[id][list][providers[i]] = true;
        }
    }
}
