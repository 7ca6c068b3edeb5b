// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { Base } from "../../Base.t.sol";

contract PledgePledgeTest is Base {
    function test_WhenEntriesArePaused_ItRevertsWithEntriesPaused() public {
        vm.prank(guardian);
        access.pause();
        vm.expectRevert(IPledge.EntriesPaused.selector);
        vm.prank(provider);
        pledge.pledge(address(credit), USD);
    }

    function test_WhenTheTokenIsNotCredit_ItRevertsWithWrongToken() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.WrongToken.selector, stranger));
        vm.prank(provider);
        pledge.pledge(stranger, USD);
    }

    function test_WhenTheAmountIsZero_ItRevertsWithZeroAmount() public {
        vm.expectRevert(IPledge.ZeroAmount.selector);
        vm.prank(provider);
        pledge.pledge(address(credit), 0);
    }

    function test_WhenThePledgeWouldBeBelow1USD_ItRevertsWithPledgeTooLow() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.PledgeTooLow.selector, USD - 1, USD));
        vm.prank(provider);
        pledge.pledge(address(credit), USD - 1);
    }

    function test_WhenItWasNotApproved_ItRevertsWithTheErrorOfCredit() public {
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(provider);
        pledge.pledge(address(credit), USD);
    }

    function test_WhenAllIsWell_ItAddsUp() public {
        pledgeFor(provider, USD);
        vm.startPrank(provider);
        credit.approve(address(pledge), 1);
        vm.expectEmit(address(pledge));
        emit IPledge.Pledged(provider, 1, USD + 1);
        pledge.pledge(address(credit), 1);
        IPledge.PledgeInfo memory info = pledge.getPledge(provider);
        assertEq(info.account, provider);
        assertEq(info.pledge, USD + 1);
        assertEq(info.interest, 0);
        assertEq(info.lastTime, GENESIS);
        assertTrue(info.exist);
        assertEq(pledge.totalPledged(), USD + 1);
        assertEq(credit.balanceOf(address(pledge)), USD + 1);
        assertEq(pledge.getList(0, 10).length, 1);
    }
}
