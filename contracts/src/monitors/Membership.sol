// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { LibBit } from "solady/utils/LibBit.sol";
import { Credit } from "../Credit.sol";
import { IMonitors } from "../interfaces/IMonitors.sol";
import { Bonds } from "../libraries/Bonds.sol";
import { Epochs } from "../libraries/Epochs.sol";
import { Tenure } from "../libraries/Tenure.sol";
import { Paced } from "./Paced.sol";

/// @title Membership
/// @notice Who monitors, and who did: places, and the bonds that they are given for.
abstract contract Membership is IMonitors, Paced {
    using Epochs for Epochs.Pace;
    using SafeCast for uint256;
    using SafeERC20 for Credit;

    uint256 public constant MIN_BOND = 1000 ether;
    uint256 public constant MAX_MONITORS = 64;
    uint256 public constant LEAVE_DELAY = 14 days;
    uint256 private constant MAX_URL = 128;
    uint256 private constant MAX_EPOCH_SECONDS = 5 minutes;
    uint256 private constant MAX_EPOCHS = 96;
    uint256 private constant EPOCHS_MULTIPLE = 8;

    /// @dev One slot: who held a place, and from when to when; `until` is 0 while it is held.
    struct Term {
        address account;
        uint40 from;
        uint40 until;
    }

    Credit public immutable token;

    mapping(address monitor => string) public urlOf;
    mapping(address monitor => address) public keyOf;
    /// @dev Also the keys that were replaced: who signed answers for it.
    mapping(address monitor => mapping(address key => bool)) public isKeyOf;

    /// @dev The places that are held, as a bitmap, and how many were ever given: always the first ones.
    uint64 private _held;
    uint8 private _given;
    /// @dev Who leaves a place stays a candidate for the periods that it monitored: neither a draw nor its votes change.
    mapping(uint256 place => Term[]) private _terms;
    /// @dev The part of this contract's Credit that belongs to somebody: bonds, and unpaid earnings. The rest is the pool.
    uint256 internal _owed;
    mapping(address account => Monitor) internal _monitorOf;

    constructor(address token_, uint256 epochSeconds_, uint256 epochsPerPeriod_) Paced(epochSeconds_, epochsPerPeriod_) {
        if (epochSeconds_ == 0 || epochSeconds_ > MAX_EPOCH_SECONDS) revert PaceOutOfBounds();
        if (epochsPerPeriod_ == 0 || epochsPerPeriod_ > MAX_EPOCHS || epochsPerPeriod_ % EPOCHS_MULTIPLE != 0) revert PaceOutOfBounds();
        token = Credit(token_);
    }

    function join(uint256 bond, address key) external {
        if (_monitorOf[msg.sender].bond != 0) revert AlreadyMonitor(msg.sender);
        if (bond < MIN_BOND) revert BondTooLow(bond, MIN_BOND);
        uint256 place = _freePlace(bond);

        _begin(place, msg.sender);
        _owed += bond;
        _monitorOf[msg.sender] = Monitor(bond.toUint128(), uint40(block.timestamp), 0, place.toUint8(), 0);
        emit MonitorJoined(msg.sender, bond);
        _nameKey(key);

        token.safeTransferFrom(msg.sender, address(this), bond);
    }

    function nameKey(address key) external {
        _active(msg.sender);
        _nameKey(key);
    }

    function announce(string calldata url) external {
        _active(msg.sender);
        if (bytes(url).length > MAX_URL) revert UrlTooLong(bytes(url).length, MAX_URL);

        urlOf[msg.sender] = url;
        emit MonitorAnnounced(msg.sender, url);
    }

    function resign() external {
        _active(msg.sender);
        _leave(msg.sender);
    }

    function takeBond() external returns (uint256 amount) {
        Monitor storage monitor = _monitorOf[msg.sender];
        amount = monitor.bond;
        if (amount == 0) revert NotMonitor(msg.sender);
        uint40 until = monitor.leftAt == 0 ? type(uint40).max : (monitor.leftAt + LEAVE_DELAY).toUint40();
        if (block.timestamp < until) revert StillBonded(until);

        monitor.bond = 0;
        _owed -= amount;
        delete urlOf[msg.sender];
        emit BondReturned(msg.sender, amount);

        token.safeTransfer(msg.sender, amount);
    }

    function monitorOf(address account) external view returns (Monitor memory) {
        return _monitorOf[account];
    }

    function monitors() public view returns (address[] memory accounts) {
        accounts = new address[](_given);
        uint256 count;
        for (uint256 place = 0; place < accounts.length; ++place) {
            if (_isHeld(place)) accounts[count++] = _lastTerm(place).account;
        }
        _shorten(accounts, count);
    }

    function keys() external view returns (address[] memory accounts, address[] memory named) {
        accounts = monitors();
        named = new address[](accounts.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            named[i] = keyOf[accounts[i]];
        }
    }

    function monitorsIn(uint64 period) external view returns (address[] memory accounts) {
        return _candidates(period);
    }

    function monitorsThrough(address account, uint64 period) public view returns (bool) {
        return account != address(0) && _holderOf(_monitorOf[account].place, _pace().startOf(period), _pace().endOf(period)) == account;
    }

    function window() external view returns (uint256) {
        return _window();
    }

    /// @dev All that monitored through a period, by place.
    function _candidates(uint64 period) internal view returns (address[] memory accounts) {
        accounts = new address[](_given);
        (uint256 start, uint256 end) = (_pace().startOf(period), _pace().endOf(period));
        uint256 count;
        for (uint256 place = 0; place < accounts.length; ++place) {
            address account = _holderOf(place, start, end);
            if (account != address(0)) accounts[count++] = account;
        }
        _shorten(accounts, count);
    }

    /// @dev Its bond waits, and answers for what it reported.
    function _leave(address account) internal {
        Monitor storage monitor = _monitorOf[account];
        uint256 place = monitor.place;
        _held &= ~_bit(place);
        _lastTerm(place).until = uint40(block.timestamp);
        monitor.leftAt = uint40(block.timestamp);
        emit MonitorLeft(account, (block.timestamp + LEAVE_DELAY).toUint40());
    }

    function _active(address account) internal view returns (Monitor storage monitor) {
        monitor = _monitorOf[account];
        if (monitor.bond == 0 || monitor.leftAt != 0) revert NotMonitor(account);
    }

    function _count() internal view returns (uint256) {
        return LibBit.popCount(_held);
    }

    function _shorten(address[] memory accounts, uint256 count) internal pure {
        assembly ("memory-safe") {
            mstore(accounts, count)
        }
    }

    function _nameKey(address key) private {
        if (key == address(0)) revert NoKey();
        keyOf[msg.sender] = key;
        isKeyOf[msg.sender][key] = true;
        emit KeyNamed(msg.sender, key);
    }

    /// @dev Where all places are held, the one with the lowest bond, which has to be outbid.
    function _freePlace(uint256 bond) private returns (uint256 place) {
        place = LibBit.ffs(~uint256(_held));
        if (place < MAX_MONITORS) return place;
        address lowest;
        uint256 least = type(uint256).max;
        for (uint256 i = 0; i < MAX_MONITORS; ++i) {
            address account = _lastTerm(i).account;
            uint256 have = _monitorOf[account].bond;
            if (have < least) (place, lowest, least) = (i, account, have);
        }
        uint256 asked = Bonds.toOutbid(least);
        if (bond < asked) revert BondTooLow(bond, asked);
        _leave(lowest);
    }

    /// @dev A term without a whole period in it is never asked for, and makes room: there are no more terms than periods.
    function _begin(uint256 place, address account) private {
        Term[] storage terms = _terms[place];
        Term memory term = Term(account, uint40(block.timestamp), 0);
        if (terms.length == 0) {
            ++_given;
            terms.push(term);
        } else if (_hasPeriod(_lastTerm(place))) {
            terms.push(term);
        } else {
            terms[terms.length - 1] = term;
        }
        _held |= _bit(place);
    }

    function _hasPeriod(Term memory term) private view returns (bool) {
        return Tenure.hasPeriod(term.from, term.until, _periodSeconds());
    }

    function _lastTerm(uint256 place) private view returns (Term storage) {
        Term[] storage terms = _terms[place];
        return terms[terms.length - 1];
    }

    /// @dev Who held a place through a period, from its start to its end; zero if nobody did.
    function _holderOf(uint256 place, uint256 start, uint256 end) private view returns (address) {
        Term[] storage terms = _terms[place];
        for (uint256 i = terms.length; i > 0; --i) {
            Term memory term = terms[i - 1];
            if (term.from <= start) return Tenure.lasts(term.until, end) ? term.account : address(0);
        }
        return address(0);
    }

    function _isHeld(uint256 place) private view returns (bool) {
        return (_held >> place) & 1 == 1;
    }

    function _bit(uint256 place) private pure returns (uint64) {
        return (uint256(1) << place).toUint64();
    }
}
