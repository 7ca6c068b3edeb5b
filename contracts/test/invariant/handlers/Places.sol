// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { Watching } from "./Watching.sol";

/// @notice Watchers who join, outbid each other, rotate keys, leave, and take what is theirs.
abstract contract Places is Watching {
    function join(uint256 who, uint256 bond) public {
        address account = people[who % people.length];
        // Mostly somebody who is not a monitor.
        for (uint256 i = 0; i < people.length && bond % 4 != 0 && bondOf[account] != 0; ++i) {
            account = people[(who % people.length + i) % people.length];
        }
        bond = bond % 8 == 0 ? 999 ether : 1000 ether + bond % 1000 ether;
        vm.prank(_owner);
        _credit.mint(account, bond);
        address[] memory before = monitors.monitors();
        uint256 least = type(uint256).max;
        for (uint256 i = 0; i < before.length; ++i) {
            if (bondOf[before[i]] < least) least = bondOf[before[i]];
        }
        bool isFull = before.length == monitors.MAX_MONITORS();
        bool may = bondOf[account] == 0 && bond >= 1000 ether && (!isFull || bond >= least + least / 10);
        vm.prank(account);
        _credit.approve(address(monitors), bond);
        if (!_calls(account, may, abi.encodeCall(IMonitors.join, (bond, vm.addr(_key(account, lastKeyOf[account])))), "join")) return;

        (bondOf[account], contradictionsOf[account]) = (bond, 0);
        if (isFull) _requireLowestLeft(before, least);
        _terms[account].push(Term(_now(), 0));
    }

    function _resign(uint256 who) internal {
        address account = people[who % people.length];
        if (_calls(account, isActive(account), abi.encodeCall(IMonitors.resign, ()), "resign")) _left(account);
    }

    function _takeBond(uint256 who) internal {
        address account = people[who % people.length];
        for (uint256 i = 0; i < people.length && who % 8 > 1 && !_isFree(account); ++i) {
            account = people[(who % people.length + i) % people.length];
        }
        bool may = _isFree(account);
        uint256 had = _credit.balanceOf(account);
        if (!_calls(account, may, abi.encodeCall(IMonitors.takeBond, ()), "takeBond")) return;
        assertEq(_credit.balanceOf(account) - had, bondOf[account], "a bond comes back whole, less its fines");
        bondOf[account] = 0;
    }

    function _nameKey(uint256 who) internal {
        address account = people[who % people.length];
        address key = vm.addr(_key(account, lastKeyOf[account] + 1));
        if (_calls(account, isActive(account), abi.encodeCall(IMonitors.nameKey, (key)), "nameKey")) ++lastKeyOf[account];
    }

    function _takePay(uint256 who) internal {
        address account = people[who % people.length];
        uint256 had = _credit.balanceOf(account);
        if (!_calls(account, earnedOf[account] != 0, abi.encodeCall(IMonitors.takePay, ()), "takePay")) return;
        assertEq(_credit.balanceOf(account) - had, earnedOf[account]);
        earnedOf[account] = 0;
    }

    function donate(uint256 amount) public {
        amount = amount % 1000 ether;
        vm.prank(_owner);
        _credit.mint(address(monitors), amount);
        pool += amount;
    }

    /// @dev Whether its bond can be taken back.
    function _isFree(address account) private view returns (bool) {
        return bondOf[account] != 0 && !isActive(account) && _now() >= _lastTerm(account).until + 14 days;
    }

    /// @dev One monitor left, and its bond was the lowest.
    function _requireLowestLeft(address[] memory before, uint256 least) private {
        uint256 gone;
        for (uint256 i = 0; i < before.length; ++i) {
            if (monitors.monitorOf(before[i]).leftAt == 0) continue;
            ++gone;
            assertEq(bondOf[before[i]], least, "the lowest bond goes first");
            _left(before[i]);
        }
        assertEq(gone, 1, "one place is taken");
        ++outbid;
    }
}
