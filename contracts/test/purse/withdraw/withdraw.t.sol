// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

contract WithdrawTest is PurseBase {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        for (uint256 i; i < 2; ++i) {
            address caller = i == 0 ? key : stranger;
            vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, caller));
            vm.prank(caller);
            purse.withdraw(address(credit), 1);
        }
    }

    function test_WhenItHoldsLess_ItRevertsAsCreditDoes() public {
        bytes4 tooLow = IERC20Errors.ERC20InsufficientBalance.selector;
        vm.expectRevert(abi.encodeWithSelector(tooLow, address(purse), 10_000 * USD, 10_001 * USD));
        vm.prank(user);
        purse.withdraw(address(credit), 10_001 * USD);
    }

    function test_WhenTheOwnerWithdraws_ItPaysTheOwner() public {
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(purse));
        emit IPurse.Withdrawn(address(credit), 4000 * USD);
        vm.prank(user);
        purse.withdraw(address(credit), 4000 * USD);
        assertEq(credit.balanceOf(user) - before, 4000 * USD);
        assertEq(balance(), 6000 * USD);
    }

    function test_WhenAnotherTokenWasSentHere_ItPaysThatToo() public {
        vm.prank(owner);
        usdt.mint(address(purse), 5e6);
        vm.prank(user);
        purse.withdraw(address(usdt), 5e6);
        assertEq(usdt.balanceOf(user), 5e6);
    }
}
