// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { Credit } from "../../../src/Credit.sol";
import { Findings } from "../../../src/Findings.sol";
import { Monitors } from "../../../src/Monitors.sol";

/// @notice Who monitors two orders, with a model of each: its bond, keys, terms, reports and pay. A call that should succeed must succeed,
/// and one that should fail must fail: any other outcome ends the campaign.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
abstract contract Watching is Test {
    struct Cast {
        Monitors monitors;
        Findings findings;
        Credit credit;
        address owner;
        uint256 operatorKey;
        address market;
        uint64[2] orderIds;
        uint64[2] nodeIds;
        address[2] providers;
        address[] people;
    }

    struct Term {
        uint256 from;
        uint256 until;
    }

    /// @dev What a monitor reports of an order, and signed, as bitmaps of epochs: one that was acknowledged and is down is a lie.
    struct Told {
        uint64 observed;
        uint64 down;
        uint64 acknowledged;
        uint64 proven;
    }

    uint256 internal constant EPOCH = 5 minutes;
    uint256 internal constant EPOCHS = 8;
    uint256 internal constant PERIOD = EPOCH * EPOCHS;
    uint256 internal constant WINDOW = PERIOD / 8;
    uint96 internal constant ALL = uint96(2 ** EPOCHS - 1);
    /// @dev These commit, reveal and earn; the others only hold places.
    uint256 internal constant ACTIVE = 12;
    bytes32 internal constant SALT = "salt";

    Monitors public immutable monitors;
    Findings public immutable findings;
    Credit internal immutable _credit;
    address internal immutable _owner;
    address internal immutable _market;
    uint256 internal immutable _operatorKey;
    address internal immutable _stranger = makeAddr("stranger");
    uint64[2] public orderIds;
    uint64[2] internal _nodeIds;
    address[2] internal _providers;
    address[] public people;
    mapping(address who => uint256) public indexOf;

    mapping(address who => uint256) public bondOf;
    mapping(address who => uint256) public earnedOf;
    mapping(address who => uint256) public contradictionsOf;
    mapping(address who => uint256) public lastKeyOf;
    mapping(address who => Term[]) internal _terms;
    mapping(address who => mapping(uint64 period => bytes32)) internal _committed;
    mapping(address who => mapping(uint64 period => bool)) internal _revealed;
    mapping(address who => mapping(uint64 period => bool)) internal _slashed;
    mapping(address who => mapping(uint64 period => bool)) internal _paid;
    /// @dev The key with which a monitor acknowledged what it was asked in a period.
    mapping(address who => mapping(uint64 period => uint256)) internal _ackKey;
    mapping(address who => mapping(uint64 period => Told[2])) internal _told;
    mapping(uint64 period => uint256) internal _payOf;

    /// @notice What belongs to nobody: what was donated, less what was earned, and what was forfeited.
    uint256 public pool;
    uint256 public outbid;
    uint256 public fines;
    uint256 public ruined;
    uint256 public innocent;
    uint256 public payments;
    uint256 public redraws;

    constructor(Cast memory cast) {
        (monitors, findings, _credit, _owner) = (cast.monitors, cast.findings, cast.credit, cast.owner);
        (_market, _operatorKey) = (cast.market, cast.operatorKey);
        (orderIds, _nodeIds, _providers, people) = (cast.orderIds, cast.nodeIds, cast.providers, cast.people);
        for (uint256 i = 0; i < people.length; ++i) {
            indexOf[people[i]] = i;
        }
    }

    function _passSeconds(uint256 time) internal {
        vm.warp(_now() + time % WINDOW + 1);
    }

    /// @notice To the next hour of commitments, reveals or votes, some blocks later. Now and then so many that their hashes are gone.
    function _passWindow(uint256 blocks) internal {
        vm.warp((_now() / WINDOW + 1) * WINDOW);
        vm.roll(vm.getBlockNumber() + (blocks % 16 == 0 ? 300 : blocks % 7));
    }

    function _passDays(uint256 time) internal {
        vm.warp(_now() + 13 days + time % 2 days);
    }

    function isActive(address account) public view returns (bool) {
        return _terms[account].length != 0 && _lastTerm(account).until == 0 && bondOf[account] != 0;
    }

    /// @notice Whether a monitor held a place through a period.
    function monitored(address account, uint64 period) public view returns (bool) {
        Term[] storage terms = _terms[account];
        for (uint256 i = 0; i < terms.length; ++i) {
            bool isWhole = terms[i].until == 0 || terms[i].until >= _endOf(period);
            if (terms[i].from <= _endOf(period) - PERIOD && isWhole) return true;
        }
        return false;
    }

    function peopleCount() external view returns (uint256) {
        return people.length;
    }

    function _left(address account) internal {
        _lastTerm(account).until = _now();
    }

    function _calls(address from, bool may, bytes memory data, string memory what) internal returns (bool isDone) {
        return _calls(address(monitors), from, may, data, what);
    }

    function _calls(address target, address from, bool may, bytes memory data, string memory what) internal returns (bool isDone) {
        vm.prank(from);
        bytes memory answer;
        (isDone, answer) = target.call(data);
        if (isDone != may) revert(string.concat(what, may ? " must succeed: " : " must fail", vm.toString(answer)));
    }

    function _lastTerm(address account) internal view returns (Term storage) {
        Term[] storage terms = _terms[account];
        return terms[terms.length - 1];
    }

    function _lastPeriod() internal view returns (uint64) {
        return uint64(_now() / PERIOD - 1);
    }

    function _endOf(uint64 period) internal pure returns (uint256) {
        return (uint256(period) + 1) * PERIOD;
    }

    function _now() internal view returns (uint256) {
        return vm.getBlockTimestamp();
    }

    function _isDrawn(address[] memory drawn, address account) internal pure returns (bool) {
        for (uint256 i = 0; i < drawn.length; ++i) {
            if (drawn[i] == account) return true;
        }
        return false;
    }

    function _max(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a : b;
    }

    function _key(address account, uint256 number) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(account, number))) >> 1;
    }
}
