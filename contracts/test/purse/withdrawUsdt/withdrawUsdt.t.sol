// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IGate } from "../../../src/interfaces/IGate.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

contract WithdrawUsdtTest is PurseBase {
    function setUp() public override {
        super.setUp();
        vm.startPrank(owner);
        usdt.mint(owner, 100e6);
        usdt.approve(address(gate), 100e6);
        gate.deposit(100e6, address(purse));
        vm.stopPrank();
    }

    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithNotPurseOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, key));
        vm.prank(key);
        purse.withdrawUsdt(USD);
    }

    function test_WhenItIsLessThanAUnitOfUSDT_ItRevertsWithAmountTooSmall() public {
        vm.expectRevert(IGate.AmountTooSmall.selector);
        vm.prank(user);
        purse.withdrawUsdt(1e12 - 1);
    }

    function test_WhenTheOwnerWithdraws_ItPaysUSDTToTheOwnerAndLeavesNoAllowance() public {
        assertEq(balance(), 10_100 * USD);
        vm.prank(user);
        purse.withdrawUsdt(40 * USD + 1);
        assertEq(usdt.balanceOf(user), 40e6);
        assertEq(balance(), 10_060 * USD);
        assertEq(credit.allowance(address(purse), address(gate)), 0);
    }
}
