// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";

contract FindingsWithdrawMaintenanceTest is MaintenanceBase {
    function test_WhenItBeginsInLessThanADay_ItRevertsWithMaintenanceTooSoon() public {
        announce(firstEpoch(), 96);
        vm.warp(uint256(firstEpoch()) * EPOCH - 1 days + 1);
        vm.expectRevert(abi.encodeWithSelector(IFindings.MaintenanceTooSoon.selector, firstEpoch(), block.timestamp + 1 days));
        withdraw(firstEpoch(), 96);
    }

    function test_WhenItIsForMoreThanFiftyNodes_ItRevertsWithTooManyNodes() public {
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooManyNodes.selector, 51, 50));
        vm.prank(provider);
        findings.withdrawMaintenance(new uint64[](51), firstEpoch(), 1);
    }

    function test_WhenItWasNotAnnounced_ItRevertsWithNoMaintenance() public {
        announce(firstEpoch(), 96);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoMaintenance.selector, nodeId, firstEpoch(), 95));
        withdraw(firstEpoch(), 95);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoMaintenance.selector, nodeId, firstEpoch() + 1, 96));
        withdraw(firstEpoch() + 1, 96);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoMaintenance.selector, nodeId, firstEpoch(), 96));
        vm.prank(stranger);
        findings.withdrawMaintenance(nodes(nodeId), firstEpoch(), 96);
    }

    function test_WhenItBeginsInADay_ItIsGone() public {
        announce(firstEpoch(), 96);
        vm.warp(uint256(firstEpoch()) * EPOCH - 1 days);
        vm.expectEmit(address(findings));
        emit IFindings.MaintenanceWithdrawn(provider, nodeId, firstEpoch(), 96);
        withdraw(firstEpoch(), 96);
        assertEq(announcedIn(period), 0);
    }

    function test_WhenItWasAnnouncedToThePredecessor_ItIsGone() public {
        announce(firstEpoch(), 50);
        announce(firstEpoch() + 60, 36);
        replaceFindings();
        withdraw(firstEpoch(), 50);
        assertEq(announcedIn(period), (2 ** 36 - 1) << 60);
        withdraw(firstEpoch() + 60, 36);
        assertEq(announcedIn(period), 0, "not what the predecessor still has");
        replaceFindings();
        assertEq(announcedIn(period), 0);
        announce(firstEpoch(), 96);
    }

    function test_WhenItsHoursAreWantedForAnotherTime_TheyCanBeAnnouncedAgain() public {
        announce(firstEpoch(), 50);
        announce(firstEpoch() + 60, 36);
        withdraw(firstEpoch(), 50);
        announce(firstEpoch(), 60);
        assertEq(announcedIn(period), ALL);
    }
}
