// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract PledgeUnpledgeTest is Base {
    function setUp() public override {
        super.setUp();
        openShop();
    }

    function test_WhenTheTokenIsNotCredit_ItRevertsWithWrongToken() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.WrongToken.selector, stranger));
        vm.prank(provider);
        pledge.unpledge(stranger, USD);
    }

    function test_WhenTheAmountIsZero_ItRevertsWithZeroAmount() public {
        vm.expectRevert(IPledge.ZeroAmount.selector);
        vm.prank(provider);
        pledge.unpledge(address(credit), 0);
    }

    function test_WhenItIsMoreThanThereIs_ItRevertsWithInsufficientPledge() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.InsufficientPledge.selector, 1000 * USD + 1, 1000 * USD));
        vm.prank(provider);
        pledge.unpledge(address(credit), 1000 * USD + 1);
    }

    function test_WhenItIsLockedBehindAnOrder_ItRevertsWithInsufficientPledge() public {
        buy(1, MONTH);
        vm.startPrank(provider);
        vm.expectRevert(abi.encodeWithSelector(IPledge.InsufficientPledge.selector, 986 * USD + 1, 986 * USD));
        pledge.unpledge(address(credit), 986 * USD + 1);
        pledge.unpledge(address(credit), 986 * USD);
    }

    function test_WhenLessThan1USDWouldBeLeft_ItRevertsWithPledgeTooLow() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.PledgeTooLow.selector, USD - 1, USD));
        vm.prank(provider);
        pledge.unpledge(address(credit), 999 * USD + 1);
    }

    function test_WhenNothingWouldBeLeftWhileANodeIsListed_ItRevertsWithNodesListed() public {
        addNode(provider);
        vm.expectRevert(abi.encodeWithSelector(IPledge.NodesListed.selector, 2));
        vm.prank(provider);
        pledge.unpledge(address(credit), 1000 * USD);
    }

    function test_WhenAllIsTakenAndNoNodeIsListed_ItPaysItBackAlsoWhenPaused() public {
        vm.prank(provider);
        registry.del_node(1);
        vm.prank(guardian);
        access.pause();
        uint256 before = credit.balanceOf(provider);
        vm.expectEmit(address(pledge));
        emit IPledge.Unpledged(provider, 1000 * USD, 0);
        vm.prank(provider);
        pledge.unpledge(address(credit), 1000 * USD);
        assertEq(credit.balanceOf(provider) - before, 1000 * USD);
        assertEq(pledge.totalPledged(), 0);
        assertTrue(pledge.getPledge(provider).exist);
    }

    function test_When1USDIsLeft_ItPaysTheRestBack() public {
        vm.prank(provider);
        pledge.unpledge(address(credit), 999 * USD);
        assertEq(pledge.pledgeOf(provider), USD);
    }
}
