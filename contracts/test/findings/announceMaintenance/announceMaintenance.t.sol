// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Findings } from "../../../src/Findings.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";

contract FindingsAnnounceMaintenanceTest is MaintenanceBase {
    function test_WhenItBeginsInLessThanADay_ItRevertsWithMaintenanceTooSoon() public {
        vm.warp(uint256(firstEpoch()) * EPOCH - 1 days + 1);
        vm.expectRevert(abi.encodeWithSelector(IFindings.MaintenanceTooSoon.selector, firstEpoch(), block.timestamp + 1 days));
        announce(firstEpoch(), 1);
    }

    function test_WhenItBeginsLaterThanInThirtyDays_ItRevertsWithMaintenanceOutOfMonth() public {
        // It is the beginning of a period.
        uint64 last = (period - 4) * EPOCHS + MONTH_EPOCHS;
        announce(last, 12);
        vm.expectRevert(abi.encodeWithSelector(IFindings.MaintenanceOutOfMonth.selector, last + 1, 12));
        announce(last + 1, 12);
    }

    function test_WhenItHasNoEpoch_ItRevertsWithMaintenanceOutOfMonth() public {
        vm.expectRevert(abi.encodeWithSelector(IFindings.MaintenanceOutOfMonth.selector, firstEpoch(), 0));
        announce(firstEpoch(), 0);
    }

    function test_WhenItReachesIntoTheNextMonth_ItRevertsWithMaintenanceOutOfMonth() public {
        uint64 next = (firstEpoch() / MONTH_EPOCHS + 1) * MONTH_EPOCHS;
        announce(next - 2, 2);
        vm.expectRevert(abi.encodeWithSelector(IFindings.MaintenanceOutOfMonth.selector, next - 2, 3));
        announce(next - 2, 3);
        // Even the longest 16-bit length is refused.
        vm.expectRevert(abi.encodeWithSelector(IFindings.MaintenanceOutOfMonth.selector, next - 1, type(uint16).max));
        announce(next - 1, type(uint16).max);
    }

    function test_WhenItIsForMoreThanFiftyNodes_ItRevertsWithTooManyNodes() public {
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooManyNodes.selector, 51, 50));
        vm.prank(provider);
        findings.announceMaintenance(new uint64[](51), firstEpoch(), 1);
    }

    function test_WhenAMonthWouldHaveMoreThanEightHours_ItRevertsWithTooMuchMaintenance() public {
        announce(firstEpoch(), 95);
        announce(firstEpoch() + 200, 1);
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooMuchMaintenance.selector, 97, 96, 8));
        announce(firstEpoch() + 300, 1);
    }

    function test_WhenAMonthWouldHaveMoreThanEightPieces_ItRevertsWithTooMuchMaintenance() public {
        for (uint64 i = 0; i < 8; ++i) {
            announce(firstEpoch() + 2 * i, 1);
        }
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooMuchMaintenance.selector, 9, 96, 8));
        announce(firstEpoch() + 20, 1);
    }

    function test_WhenAnotherContractIsAsked_ItRevertsWithNotValidator() public {
        Findings next = new Findings(monitors, validator, findings);
        vm.expectRevert(IFindings.NotValidator.selector);
        vm.prank(provider);
        next.announceMaintenance(nodes(nodeId), firstEpoch(), 1);
        ask(address(next));
        vm.expectRevert(IFindings.NotValidator.selector);
        announce(firstEpoch(), 1);
    }

    function test_WhenWhatItsPredecessorWasToldIsTooMuchWithIt_ItRevertsWithTooMuchMaintenance() public {
        uint64 next = (firstEpoch() / MONTH_EPOCHS + 1) * MONTH_EPOCHS;
        vm.warp(uint256(next) * EPOCH - 20 days);
        announce(next - 40, 40);
        announce(next, 40);
        replaceFindings();
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooMuchMaintenance.selector, 97, 96, 8));
        announce(next + 50, 17);
        replaceFindings();
        announce(next + 50, 16);
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooMuchMaintenance.selector, 97, 96, 8));
        announce(next - 50, 1);
    }

    function test_WhenItBeginsInADay_ItIsAnnouncedForEachNode() public {
        vm.warp(uint256(firstEpoch()) * EPOCH - 1 days);
        uint64[] memory two = new uint64[](2);
        (two[0], two[1]) = (nodeId, nodeId + 7);
        vm.expectEmit(address(findings));
        emit IFindings.MaintenanceAnnounced(provider, nodeId, firstEpoch(), 12);
        vm.expectEmit(address(findings));
        emit IFindings.MaintenanceAnnounced(provider, nodeId + 7, firstEpoch(), 12);
        vm.prank(provider);
        findings.announceMaintenance(two, firstEpoch(), 12);
        assertEq(announcedIn(period), 2 ** 12 - 1);
        assertEq(findings.maintenanceIn(provider, nodeId + 7, period), 2 ** 12 - 1);
    }

    function test_WhenAnotherMonthHasItsEightHours_ItIsAnnounced() public {
        announce(firstEpoch(), 96);
        vm.warp(uint256(period + 1) * PERIOD);
        announce(firstEpoch() + MONTH_EPOCHS, 96);
        assertEq(announcedIn(period), ALL);
        assertEq(announcedIn(period + 90), ALL);
    }

    function test_WhenAnotherProviderAnnouncedForANodeOfThatNumber_ItChangesNothingForThisOne() public {
        vm.prank(stranger);
        findings.announceMaintenance(nodes(nodeId), firstEpoch(), 96);
        assertEq(announcedIn(period), 0);
        announce(firstEpoch(), 96);
    }
}
