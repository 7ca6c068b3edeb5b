// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditTransferTest is Base {
    function test_WhenTheReceiverIsTheZeroAddress_ItRevertsWithERC20InvalidReceiver() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        vm.prank(user);
        assertFalse(credit.transfer(address(0), 1));
    }

    function test_WhenTheCallerHasLess_ItRevertsWithERC20InsufficientBalanceAndBothAmounts() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, operator, 0, 1));
        vm.prank(operator);
        assertFalse(credit.transfer(user, 1));
    }

    function test_WhenTheCallerHasExactlyThat_ItMovesItAllAndEmitsTransfer() public {
        uint256 all = credit.balanceOf(user);
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, operator, all);
        vm.prank(user);
        assertTrue(credit.transfer(operator, all));
        assertEq(credit.balanceOf(user), 0);
        assertEq(credit.balanceOf(operator), all);
    }

    function test_WhenTheAmountIsZero_ItMovesNothingAndEmitsTransfer() public {
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, operator, 0);
        vm.prank(user);
        assertTrue(credit.transfer(operator, 0));
        assertEq(credit.balanceOf(user), before);
    }

    function test_WhenTheReceiverIsTheCaller_ItChangesNoBalance() public {
        uint256 before = credit.balanceOf(user);
        vm.prank(user);
        assertTrue(credit.transfer(user, USD));
        assertEq(credit.balanceOf(user), before);
    }
}
