// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ERC20 } from "solady/tokens/ERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditBurnFromTest is Base {
    function test_WhenThereIsNoAllowance_ItRevertsWithInsufficientAllowance() public {
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        vm.prank(stranger);
        credit.burnFrom(user, 1);
    }

    function test_WhenThereIs_ItSpendsTheAllowanceAndDestroys() public {
        vm.prank(user);
        credit.approve(stranger, USD);
        uint256 before = credit.balanceOf(user);
        vm.prank(stranger);
        credit.burnFrom(user, USD);
        assertEq(before - credit.balanceOf(user), USD);
        assertEq(credit.allowance(user, stranger), 0);
    }
}
