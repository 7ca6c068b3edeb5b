// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";

contract FindingsFinishTest is MaintenanceBase {
    function test_WhenThereIsNoFinding_ItRevertsWithNotFinal() public {
        vm.expectRevert(abi.encodeWithSelector(IFindings.NotFinal.selector, 0));
        findings.finish(address(market), orderId, period);
    }

    function test_WhenItCanBeChallenged_ItRevertsWithNotFinal() public {
        submit(report(three(1, 1, 1)));
        uint40 finalAt = uint40(block.timestamp + 4 hours);
        pass(4 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NotFinal.selector, finalAt));
        findings.finish(address(market), orderId, period);
    }

    function test_WhenItIsFinal_ItCountsFiveMinutesForEachEpoch() public {
        submit(report(three(11, 11, 11)));
        pass(4 hours);
        vm.expectEmit(address(findings));
        emit IFindings.DowntimeFinal(address(market), orderId, period, 900, uint40(endOf(period)));
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 900);
        assertEq(findings.downtimeOf(address(market), orderId).asOf, endOf(period));
        assertTrue(findings.findingOf(address(market), orderId, period).counted);
    }

    function test_WhenItWasCounted_ItRevertsWithFindingIsFinal() public {
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        vm.expectRevert(abi.encodeWithSelector(IFindings.FindingIsFinal.selector));
        findings.finish(address(market), orderId, period);
    }

    function test_WhenAPartOfItWasAnnouncedAsMaintenance_ItSaysHowMuch() public {
        announce(firstEpoch() + 1, 2);
        submit(report(three(7, 7, 7)));
        pass(4 hours);
        vm.expectEmit(address(findings));
        emit IFindings.MaintenanceFinal(address(market), orderId, period, 600);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 900);
        assertEq(findings.maintenanceOf(address(market), orderId), 600);
    }

    function test_WhenWhatWasAnnouncedRanAnotherImage_ItIsNoMaintenance() public {
        announce(firstEpoch(), 96);
        pass(endOf(period) - block.timestamp);
        proveWrongImage(1);
        pass(6 hours);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 300);
        assertEq(findings.maintenanceOf(address(market), orderId), 0);
    }

    function test_WhenWhatWasAnnouncedIsFoundAndThenProvenToo_ItIsNoMaintenance() public {
        announce(firstEpoch(), 96);
        submit(report(three(3, 3, 3)));
        proveWrongImage(1);
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 600);
        assertEq(findings.maintenanceOf(address(market), orderId), 300);
    }

    function test_WhenWhatWasAnnouncedWasFoundByAMonitorThatIsSlashed_ItCountsOnlyWhatIsProven() public {
        announce(firstEpoch(), 96);
        IMonitors.Vote[] memory votes = report(three(6, 6, 6));
        submit(votes);
        proveWrongImage(1);
        IMonitors.Vote memory vote = voteOf(votes, accounts[0]);
        monitors.proveContradiction(address(market), orderId, period, vote, 1, acknowledge(accounts[0], orderId, 1));
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 300);
        assertEq(findings.maintenanceOf(address(market), orderId), 0);
    }

    function slash(IMonitors.Vote[] memory votes, address account, uint8 epoch) private {
        bytes memory acknowledged = acknowledge(account, orderId, epoch);
        monitors.proveContradiction(address(market), orderId, period, voteOf(votes, account), epoch, acknowledged);
    }

    function test_WhenAVoterIsSlashedAndEnoughOthersAgree_ItCountsWhatTheyFound() public {
        announce(firstEpoch(), 2);
        uint96[] memory downs = new uint96[](4);
        (downs[0], downs[1], downs[2], downs[3]) = (7, 3, 6, 7);
        IMonitors.Vote[] memory votes = report(downs);
        submit(votes);
        assertEq(findings.findingOf(address(market), orderId, period).down, 7);
        slash(votes, accounts[0], 1);
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        assertEq(findings.findingOf(address(market), orderId, period).down, 2);
        assertEq(findings.downtimeOf(address(market), orderId).total, 300);
        assertEq(findings.maintenanceOf(address(market), orderId), 300);
    }

    function test_WhenTooFewAreLeft_ItIsDroppedAndOthersMayStillAgree() public {
        uint96[] memory downs = new uint96[](4);
        (downs[0], downs[1], downs[2], downs[3]) = (1, 1, 1, 1);
        IMonitors.Vote[] memory all = report(downs);
        IMonitors.Vote[] memory votes = new IMonitors.Vote[](3);
        for (uint256 i = 0; i < 3; ++i) {
            votes[i] = voteOf(all, accounts[i]);
        }
        sort(votes);
        submit(votes);
        slash(all, accounts[0], 0);
        pass(4 hours);
        vm.expectEmit(address(findings));
        emit IFindings.FindingDropped(address(market), orderId, period);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 0);
        IMonitors.Vote[] memory fourth = new IMonitors.Vote[](1);
        fourth[0] = voteOf(all, accounts[3]);
        submit(fourth);
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 300);
    }

    function test_WhenAnEarlierPeriodIsFinishedLater_ItAddsUpAndKeepsTheLaterTime() public {
        IMonitors.Vote[] memory first = report(three(1, 1, 1));
        submit(first);
        uint64 earlier = period;
        period += 1;
        submit(report(three(3, 3, 3)));
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        findings.finish(address(market), orderId, earlier);
        assertEq(findings.downtimeOf(address(market), orderId).total, 900);
        assertEq(findings.downtimeOf(address(market), orderId).asOf, endOf(period));
    }

    function test_WhenTheMarketAsksAnotherContract_ItRevertsWithNotValidator() public {
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        ask(validator);
        vm.expectRevert(IFindings.NotValidator.selector);
        findings.finish(address(market), orderId, period);
    }

    function test_WhenAnotherContractWasAskedBefore_ItAddsToWhatThatOneReported() public {
        vm.warp(endOf(period) - 4 hours);
        ask(validator);
        report(orderId, 1 hours);
        ask(address(findings));
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).since, endOf(period) - 4 hours);
        assertEq(findings.downtimeOf(address(market), orderId).before, 1 hours);
        assertEq(market.getOrder(orderId).down, 1 hours + 300);
    }

    function test_WhenAnotherContractExcusedMaintenanceBefore_ItAddsToThatToo() public {
        announce(firstEpoch(), 96);
        submit(report(three(7, 7, 7)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.maintenanceOf(orderId), 900);
        period += 1;
        IFindings before = findings;
        replaceFindings();
        drawFor(period);
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(findings.maintenanceOf(address(market), orderId), 900);
        assertEq(market.maintenanceOf(orderId), 900);
        assertEq(before.maintenanceOf(address(market), orderId), 900);
        assertEq(market.getOrder(orderId).down, 1200);
    }

    function test_WhenWhatWasAnnouncedToAnotherContractComes_ItIsExcusedHere() public {
        announce(firstEpoch() + 96, 2);
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        period += 1;
        replaceFindings();
        drawFor(period);
        submit(report(three(7, 7, 7)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.maintenanceOf(orderId), 600);
        assertEq(market.getOrder(orderId).down, 1200);
    }

    function test_WhenAnotherContractReportedThatPeriod_ItRevertsWithFindingIsFinal() public {
        vm.warp(endOf(period));
        ask(validator);
        report(orderId, 1 hours);
        ask(address(findings));
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        vm.expectRevert(IFindings.FindingIsFinal.selector);
        findings.finish(address(market), orderId, period);
    }
}
