// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditBurnFromTest is Base {
    function test_WhenThereIsNoAllowance_ItRevertsWithERC20InsufficientAllowance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, stranger, 0, 1));
        vm.prank(stranger);
        credit.burnFrom(user, 1);
    }

    function test_WhenTheHolderHasLess_ItRevertsWithERC20InsufficientBalance() public {
        vm.prank(operator);
        credit.approve(stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, operator, 0, 1));
        vm.prank(stranger);
        credit.burnFrom(operator, 1);
    }

    function test_WhenBothSuffice_ItSpendsTheAllowanceAndDestroys() public {
        vm.prank(user);
        credit.approve(stranger, USD);
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, address(0), USD);
        vm.prank(stranger);
        credit.burnFrom(user, USD);
        assertEq(before - credit.balanceOf(user), USD);
        assertEq(credit.allowance(user, stranger), 0);
    }
}
