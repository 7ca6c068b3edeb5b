// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MaintenanceBase } from "../MaintenanceBase.sol";

contract MonitorsFinishTest is MaintenanceBase {
    function test_WhenThereIsNoFinding_ItRevertsWithNotFinal() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotFinal.selector, 0));
        monitors.finish(address(market), orderId, period);
    }

    function test_WhenItCanBeChallenged_ItRevertsWithNotFinal() public {
        submit(report(three(1, 1, 1)));
        uint40 finalAt = uint40(block.timestamp + 4 hours);
        pass(4 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotFinal.selector, finalAt));
        monitors.finish(address(market), orderId, period);
    }

    function test_WhenItIsFinal_ItCountsFiveMinutesForEachEpoch() public {
        submit(report(three(11, 11, 11)));
        pass(4 hours);
        vm.expectEmit(address(monitors));
        emit IMonitors.DowntimeFinal(address(market), orderId, period, 900, uint40(endOf(period)));
        monitors.finish(address(market), orderId, period);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 900);
        assertEq(monitors.downtimeOf(address(market), orderId).asOf, endOf(period));
        assertTrue(monitors.findingOf(address(market), orderId, period).counted);
    }

    function test_WhenItWasCounted_ItRevertsWithFindingIsFinal() public {
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        monitors.finish(address(market), orderId, period);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.FindingIsFinal.selector));
        monitors.finish(address(market), orderId, period);
    }

    function test_WhenAPartOfItWasAnnouncedAsMaintenance_ItSaysHowMuch() public {
        announce(firstEpoch() + 1, 2);
        submit(report(three(7, 7, 7)));
        pass(4 hours);
        vm.expectEmit(address(monitors));
        emit IMonitors.MaintenanceFinal(address(market), orderId, period, 600);
        monitors.finish(address(market), orderId, period);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 900);
        assertEq(monitors.maintenanceOf(address(market), orderId), 600);
    }

    function test_WhenWhatWasAnnouncedRanAnotherImage_ItIsNoMaintenance() public {
        announce(firstEpoch(), 96);
        pass(endOf(period) - block.timestamp);
        proveWrongImage(1);
        pass(6 hours);
        monitors.finish(address(market), orderId, period);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 300);
        assertEq(monitors.maintenanceOf(address(market), orderId), 0);
    }

    function test_WhenWhatWasAnnouncedIsFoundAndThenProvenToo_ItIsNoMaintenance() public {
        announce(firstEpoch(), 96);
        submit(report(three(3, 3, 3)));
        proveWrongImage(1);
        pass(4 hours);
        monitors.finish(address(market), orderId, period);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 600);
        assertEq(monitors.maintenanceOf(address(market), orderId), 300);
    }

    function test_WhenWhatWasAnnouncedWasFoundByAMonitorThatIsSlashed_ItCountsOnlyWhatIsProven() public {
        announce(firstEpoch(), 96);
        IMonitors.Vote[] memory votes = report(three(6, 6, 6));
        submit(votes);
        proveWrongImage(1);
        IMonitors.Vote memory vote = voteOf(votes, accounts[0]);
        monitors.proveContradiction(address(market), orderId, period, vote, 1, acknowledge(accounts[0], orderId, 1));
        pass(4 hours);
        monitors.finish(address(market), orderId, period);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 300);
        assertEq(monitors.maintenanceOf(address(market), orderId), 0);
    }

    function test_WhenAnEarlierPeriodIsFinishedLater_ItAddsUpAndKeepsTheLaterTime() public {
        IMonitors.Vote[] memory first = report(three(1, 1, 1));
        submit(first);
        uint64 earlier = period;
        period += 1;
        submit(report(three(3, 3, 3)));
        pass(4 hours);
        monitors.finish(address(market), orderId, period);
        monitors.finish(address(market), orderId, earlier);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 900);
        assertEq(monitors.downtimeOf(address(market), orderId).asOf, endOf(period));
    }
}
