// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IGate } from "../../../src/interfaces/IGate.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { TestUsdt } from "../../../src/development/TestUsdt.sol";
import { Base } from "../../Base.t.sol";

contract GateWithdrawTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        usdt.mint(address(gate), 100e6);
    }

    function test_WhenTheReceiverIsTheZeroAddress_ItRevertsWithReceiverRefused() public {
        vm.expectRevert(abi.encodeWithSelector(IGate.ReceiverRefused.selector, address(0)));
        vm.prank(user);
        gate.withdraw(USD, address(0));
    }

    function test_WhenTheReceiverIsTheGate_ItRevertsWithReceiverRefused() public {
        vm.expectRevert(abi.encodeWithSelector(IGate.ReceiverRefused.selector, address(gate)));
        vm.prank(user);
        gate.withdraw(USD, address(gate));
    }

    function test_WhenItIsLessThanAUnitOfUSDT_ItRevertsWithAmountTooSmall() public {
        vm.expectRevert(abi.encodeWithSelector(IGate.AmountTooSmall.selector));
        vm.prank(user);
        gate.withdraw(1e12 - 1, user);
    }

    function test_WhenNothingWasApproved_ItRevertsWithERC20InsufficientAllowance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(gate), 0, USD));
        vm.prank(user);
        gate.withdraw(USD, user);
    }

    function test_WhenTheAmountHasDigitsThatUSDTHasNot_ItLeavesThemToTheCaller() public {
        vm.startPrank(user);
        credit.approve(address(gate), USD + 5);
        uint256 before = credit.balanceOf(user);
        uint256 supply = credit.totalSupply();
        vm.expectEmit(address(gate));
        emit IGate.Withdrawn(user, operator, USD, 1e6);
        assertEq(gate.withdraw(USD + 5, operator), 1e6);
        assertEq(before - credit.balanceOf(user), USD);
        assertEq(supply - credit.totalSupply(), USD);
        assertEq(usdt.balanceOf(operator), 1e6);
    }

    function test_WhenTheGateHasLessUSDT_ItRevertsAsUSDTDoesAndDestroysNothing() public {
        vm.startPrank(user);
        credit.approve(address(gate), 101 * USD);
        uint256 before = credit.balanceOf(user);
        vm.expectRevert(TestUsdt.BalanceTooSmall.selector);
        gate.withdraw(101 * USD, user);
        assertEq(credit.balanceOf(user), before);
    }
}
