// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IGate } from "../../../src/interfaces/IGate.sol";
import { TestUsdt } from "../../../src/development/TestUsdt.sol";
import { Base } from "../../Base.t.sol";

contract GateDepositTest is Base {
    function give(address account, uint256 amount) private {
        vm.prank(owner);
        usdt.mint(account, amount);
        vm.prank(account);
        usdt.approve(address(gate), amount);
    }

    function test_WhenTheReceiverIsTheZeroAddress_ItRevertsWithReceiverRefused() public {
        give(user, 1e6);
        vm.expectRevert(abi.encodeWithSelector(IGate.ReceiverRefused.selector, address(0)));
        vm.prank(user);
        gate.deposit(1e6, address(0));
    }

    function test_WhenTheReceiverIsTheGate_ItRevertsWithReceiverRefused() public {
        give(user, 1e6);
        vm.expectRevert(abi.encodeWithSelector(IGate.ReceiverRefused.selector, address(gate)));
        vm.prank(user);
        gate.deposit(1e6, address(gate));
    }

    function test_WhenTheAmountIsZero_ItRevertsWithAmountTooSmall() public {
        vm.expectRevert(abi.encodeWithSelector(IGate.AmountTooSmall.selector));
        vm.prank(user);
        gate.deposit(0, user);
    }

    function test_WhenNothingWasApproved_ItRevertsAsUSDTDoes() public {
        vm.expectRevert(abi.encodeWithSelector(TestUsdt.AllowanceTooSmall.selector));
        vm.prank(user);
        gate.deposit(1, user);
    }

    function test_WhenOneUSDTIsDeposited_ItCreatesOneCreditForTheReceiver() public {
        give(user, 1e6);
        uint256 before = credit.balanceOf(operator);
        vm.expectEmit(address(gate));
        emit IGate.Deposited(user, operator, 1e6, USD);
        vm.prank(user);
        assertEq(gate.deposit(1e6, operator), USD);
        assertEq(credit.balanceOf(operator) - before, USD);
        assertEq(usdt.balanceOf(user), 0);
        assertEq(gate.reserves(), USD);
    }

    function test_WhenUSDTTakesAFee_ItCreatesOnlyWhatArrived() public {
        give(user, 1e6);
        vm.prank(owner);
        usdt.setFee(10);
        vm.prank(user);
        assertEq(gate.deposit(1e6, user), 0.999e18);
        assertEq(gate.reserves(), 0.999e18);
    }

    function test_WhenTheSmallestUnitIsDeposited_ItCreates1012Wei() public {
        give(user, 1);
        vm.prank(user);
        assertEq(gate.deposit(1, user), 1e12);
    }
}
