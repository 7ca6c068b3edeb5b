// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeLockTest is Base {
    function setUp() public override {
        super.setUp();
        pledgeFor(provider, 1000 * USD);
    }

    function test_WhenTheCallerIsNotAMarketInService_ItRevertsWithNotMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotMarket.selector, stranger));
        vm.prank(stranger);
        pledge.lock(provider, 1, 1);
    }

    function test_WhenLessThan1USDIsPledged_ItRevertsWithPledgeTooLow() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.PledgeTooLow.selector, 0, USD));
        vm.prank(address(market));
        pledge.lock(stranger, 1, 0);
    }

    function test_WhenItIsMoreThanWhatIsFree_ItRevertsWithFreePledgeTooLow() public {
        vm.startPrank(address(market));
        pledge.lock(provider, 1, 400 * USD);
        vm.expectRevert(abi.encodeWithSelector(IPledge.FreePledgeTooLow.selector, 600 * USD + 1, 600 * USD));
        pledge.lock(provider, 2, 600 * USD + 1);
    }

    function test_WhenAllThatIsFreeIsLocked_ItKeepsItFromBeingTakenBack() public {
        vm.startPrank(address(market));
        pledge.lock(provider, 1, 400 * USD);
        vm.expectEmit(address(pledge));
        emit IPledge.Locked(provider, 2, 600 * USD, 1000 * USD);
        pledge.lock(provider, 2, 600 * USD);
        vm.stopPrank();
        assertEq(pledge.getPledge(provider).locked, 1000 * USD);
        assertEq(pledge.totalLocked(), 1000 * USD);
        assertEq(pledge.freeOf(provider), 0);
        vm.expectRevert(abi.encodeWithSelector(IPledge.InsufficientPledge.selector, 1, 0));
        vm.prank(provider);
        pledge.unpledge(address(credit), 1);
    }
}
