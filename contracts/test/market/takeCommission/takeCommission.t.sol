// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketTakeCommissionTest is Base {
    function test_WhenTheCallerIsNotTheTreasury_ItRevertsWithNotTreasury() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotTreasury.selector, owner));
        vm.prank(owner);
        market.takeCommission();
    }

    function test_WhenThereIsNone_ItRevertsWithNothingToWithdraw() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NothingToWithdraw.selector, treasury));
        vm.prank(treasury);
        market.takeCommission();
    }

    function test_WhenAPartIsForInterest_ItPutsThatIntoThePoolOfInterest() public {
        vm.startPrank(owner);
        market.setCommissionBps(1000);
        market.setInterestShare(2000);
        vm.stopPrank();
        uint64 id = running();
        pass(11 days);
        market.proSettle(id);
        vm.expectEmit(address(market));
        emit IMarket.CommissionTaken(treasury, 11.2e18, 2.8e18, 0);
        vm.prank(treasury);
        assertEq(market.takeCommission(), 11.2e18);
        assertEq(pledge.pool(), 2.8e18);
        assertEq(credit.balanceOf(treasury), 11.2e18);
        assertEq(credit.allowance(address(market), address(pledge)), 0);
    }

    function test_WhenAPartIsForMonitors_ItSendsThatToTheValidator() public {
        vm.startPrank(owner);
        market.setCommissionBps(1000);
        market.setInterestShare(5000);
        market.setMonitorShare(5000);
        vm.stopPrank();
        uint64 id = running();
        pass(11 days);
        market.proSettle(id);
        vm.expectEmit(address(market));
        emit IMarket.CommissionTaken(treasury, 0, 7 * USD, 7 * USD);
        vm.prank(treasury);
        assertEq(market.takeCommission(), 0);
        assertEq(credit.balanceOf(validator), 7 * USD);
        assertEq(pledge.pool(), 7 * USD);
    }

    function test_WhenThereIsSome_ItPaysItToTheTreasury() public {
        vm.prank(owner);
        market.setCommissionBps(1000);
        uint64 id = running();
        pass(11 days);
        market.proSettle(id);
        vm.expectEmit(address(market));
        emit IMarket.CommissionTaken(treasury, 14 * USD, 0, 0);
        vm.prank(treasury);
        market.takeCommission();
        assertEq(credit.balanceOf(treasury), 14 * USD);
        assertEq(market.commission(), 0);
    }
}
