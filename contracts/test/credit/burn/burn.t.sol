// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditBurnTest is Base {
    function test_WhenTheCallerHasLess_ItRevertsWithERC20InsufficientBalance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, operator, 0, 1));
        vm.prank(operator);
        credit.burn(1);
    }

    function test_WhenTheCallerHasEnough_ItDestroysItAndEmitsTransferToTheZeroAddress() public {
        uint256 supply = credit.totalSupply();
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, address(0), USD);
        vm.prank(user);
        credit.burn(USD);
        assertEq(credit.totalSupply(), supply - USD);
        assertEq(credit.balanceOf(user), before - USD);
    }
}
