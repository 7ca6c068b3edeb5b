// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { TestUsdt } from "../../src/development/TestUsdt.sol";

contract TestUsdtTest is Test {
    TestUsdt private _usdt = new TestUsdt(makeAddr("owner"));
    address private _holder = makeAddr("holder");
    address private _spender = makeAddr("spender");

    function setUp() public {
        vm.prank(makeAddr("owner"));
        _usdt.mint(_holder, 10);
    }

    function test_AnAllowanceGoesToZeroBeforeItChanges() public {
        vm.startPrank(_holder);
        _usdt.approve(_spender, 5);
        vm.expectRevert(TestUsdt.ResetAllowanceFirst.selector);
        _usdt.approve(_spender, 6);
        _usdt.approve(_spender, 0);
        _usdt.approve(_spender, 6);
        assertEq(_usdt.allowance(_holder, _spender), 6);
    }

    function test_TheLargestAllowanceIsNotSpent() public {
        vm.prank(_holder);
        _usdt.approve(_spender, type(uint256).max);
        vm.prank(_spender);
        _usdt.transferFrom(_holder, _spender, 4);
        assertEq(_usdt.allowance(_holder, _spender), type(uint256).max);
        assertEq(_usdt.balanceOf(_spender), 4);
    }

    function test_TheFeeIsAtMostAFifthOfAPercentAndGoesToTheOwner() public {
        vm.startPrank(makeAddr("owner"));
        _usdt.setFee(500);
        _usdt.mint(_holder, 9990);
        vm.stopPrank();
        vm.prank(_holder);
        _usdt.transfer(_spender, 10_000);
        assertEq(_usdt.balanceOf(_spender), 9980);
        assertEq(_usdt.balanceOf(makeAddr("owner")), 20);
    }
}
