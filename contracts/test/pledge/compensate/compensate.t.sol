// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeCompensateTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        vm.stopPrank();
    }

    function test_WhenTheCallerIsNotAMarketInService_ItRevertsWithNotMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotMarket.selector, stranger));
        vm.prank(stranger);
        pledge.compensate(provider, stranger, 1);
    }

    function test_WhenThePledgeCoversIt_ItPaysItAndKeepsTheInterestSoFar() public {
        pass(73 days);
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(pledge));
        emit IPledge.Compensated(provider, user, address(market), 10 * USD, 990 * USD);
        vm.prank(address(market));
        assertEq(pledge.compensate(provider, user, 10 * USD), 10 * USD);
        assertEq(credit.balanceOf(user) - before, 10 * USD);
        assertEq(pledge.getInterest(provider), 20 * USD);
        assertEq(pledge.totalPledged(), 990 * USD);
    }

    function test_WhenThePledgeIsSmaller_ItPaysAllOfIt() public {
        vm.prank(address(market));
        assertEq(pledge.compensate(provider, user, 2000 * USD), 1000 * USD);
        assertEq(pledge.pledgeOf(provider), 0);
    }

    function test_WhenThereIsNoPledge_ItDoesNothing() public {
        vm.recordLogs();
        vm.prank(address(market));
        assertEq(pledge.compensate(stranger, user, 1), 0);
        assertEq(vm.getRecordedLogs().length, 0);
    }
}
