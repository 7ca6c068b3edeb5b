// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditTransferFromTest is Base {
    function test_WhenTheAllowanceIsLess_ItRevertsWithERC20InsufficientAllowanceAndBothAmounts() public {
        vm.prank(user);
        credit.approve(stranger, USD - 1);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, stranger, USD - 1, USD));
        vm.prank(stranger);
        assertFalse(credit.transferFrom(user, stranger, USD));
    }

    function test_WhenTheHolderHasLess_ItRevertsWithERC20InsufficientBalance() public {
        vm.prank(operator);
        credit.approve(stranger, USD);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, operator, 0, USD));
        vm.prank(stranger);
        assertFalse(credit.transferFrom(operator, stranger, USD));
    }

    function test_WhenTheReceiverIsTheZeroAddress_ItRevertsWithERC20InvalidReceiver() public {
        vm.prank(user);
        credit.approve(stranger, USD);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        vm.prank(stranger);
        assertFalse(credit.transferFrom(user, address(0), USD));
    }

    function test_WhenTheHolderIsTheZeroAddress_ItRevertsWithERC20InvalidApprover() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidApprover.selector, address(0)));
        vm.prank(stranger);
        assertFalse(credit.transferFrom(address(0), stranger, 0));
    }

    function test_WhenTheAllowanceIsEnough_ItSpendsItMovesTheAmountAndEmitsOnlyTransfer() public {
        vm.prank(user);
        credit.approve(stranger, 3 * USD);
        uint256 before = credit.balanceOf(operator);
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, operator, USD);
        vm.prank(stranger);
        assertTrue(credit.transferFrom(user, operator, USD));
        assertEq(credit.allowance(user, stranger), 2 * USD);
        assertEq(credit.balanceOf(operator) - before, USD);
    }

    function test_WhenTheAllowanceIsTheLargestNumber_ItLeavesIt() public {
        vm.prank(user);
        credit.approve(stranger, type(uint256).max);
        vm.prank(stranger);
        assertTrue(credit.transferFrom(user, operator, USD));
        assertEq(credit.allowance(user, stranger), type(uint256).max);
    }
}
