// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditApproveTest is Base {
    function test_WhenTheSpenderIsTheZeroAddress_ItRevertsWithERC20InvalidSpender() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidSpender.selector, address(0)));
        vm.prank(user);
        credit.approve(address(0), 1);
    }

    function test_WhenTheCallerHasLessThanItAllows_ItAllowsItAndEmitsApproval() public {
        vm.expectEmit(address(credit));
        emit IERC20.Approval(operator, stranger, USD);
        vm.prank(operator);
        assertTrue(credit.approve(stranger, USD));
        assertEq(credit.allowance(operator, stranger), USD);
    }

    function test_WhenThereWasAnAllowance_ItReplacesIt() public {
        vm.startPrank(user);
        credit.approve(stranger, USD);
        credit.approve(stranger, 5);
        assertEq(credit.allowance(user, stranger), 5);
    }
}
