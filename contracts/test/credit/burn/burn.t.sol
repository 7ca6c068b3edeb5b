// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ERC20 } from "solady/tokens/ERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditBurnTest is Base {
    function test_WhenTheCallerHasLess_ItRevertsWithInsufficientBalance() public {
        vm.expectRevert(ERC20.InsufficientBalance.selector);
        vm.prank(operator);
        credit.burn(1);
    }

    function test_WhenTheCallerHasEnough_ItDestroysIt() public {
        uint256 supply = credit.totalSupply();
        vm.prank(user);
        credit.burn(USD);
        assertEq(credit.totalSupply(), supply - USD);
    }
}
