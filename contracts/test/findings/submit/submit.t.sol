// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { ContestBase } from "../../monitors/ContestBase.sol";
import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsSubmitTest is MonitorsBase {
    function test_WhenRootsAreStillRevealed_ItRevertsWithOutsideWindow() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        vm.warp(endOf(period) + 2 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period) + 2 hours, endOf(period) + 26 hours));
        submit(votes);
    }

    function test_WhenADayHasPassedWithoutAFinding_ItRevertsWithOutsideWindow() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        vm.warp(endOf(period) + 26 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period) + 2 hours, endOf(period) + 26 hours));
        submit(votes);
    }

    function test_WhenHalfOfTheTimeOfAFindingIsOver_ItRevertsWithOutsideWindow() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        submit(votes);
        vm.warp(endOf(period) + 4 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period) + 2 hours, endOf(period) + 4 hours));
        submit(votes);
    }

    function test_WhenTwoOfFiveAgree_ItRevertsWithNothingFound() public {
        IMonitors.Vote[] memory all = report(three(1, 1, 0));
        IMonitors.Vote[] memory votes = new IMonitors.Vote[](2);
        (votes[0], votes[1]) = (all[0], all[1]);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(votes);
    }

    function test_WhenTwoOfFiveLie_ItRevertsWithNothingFound() public {
        IMonitors.Vote[] memory votes = report(three(ALL, ALL, 0));
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(votes);
    }

    function test_WhenOneVotesTwice_ItRevertsWithUnorderedVotes() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        votes[1] = votes[0];
        vm.expectRevert(abi.encodeWithSelector(IFindings.UnorderedVotes.selector));
        submit(votes);
    }

    function test_WhenSomebodyVotesWhoDidNotMonitorThen_ItRevertsWithNotAssigned() public {
        vm.warp(endOf(period) - 1);
        address late = joinAs("late");
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        votes[0].monitor = late;
        sort(votes);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NotAssigned.selector, late));
        submit(votes);
    }

    function test_WhenAMonitorRevealedNothing_ItRevertsWithNotRevealed() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        address silent = accounts[3];
        IMonitors.Vote memory vote = votes[0];
        vote.monitor = silent;
        IMonitors.Vote[] memory four = new IMonitors.Vote[](4);
        (four[0], four[1], four[2], four[3]) = (votes[0], votes[1], votes[2], vote);
        sort(four);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotRevealed.selector, silent, period));
        submit(four);
    }

    function test_WhenAReportIsNotUnderTheRoot_ItRevertsWithNotReported() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        votes[2].report.down = 3;
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotReported.selector, votes[2].monitor));
        submit(votes);
    }

    function test_WhenAnEpochIsDownThatWasNotObserved_ItRevertsWithNotReported() public {
        IMonitors.Vote[] memory votes = report(three(7, 7, 7), 6);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotReported.selector, votes[0].monitor));
        submit(votes);
    }

    function test_WhenThreeOfFiveAgree_ItFindsWhatAllThreeSaw() public {
        IMonitors.Vote[] memory votes = report(three(7, 6, 12));
        vm.expectEmit(address(findings));
        emit IFindings.Found(address(market), orderId, period, 4, uint40(block.timestamp + 4 hours));
        submit(votes);
        IFindings.Finding memory finding = findings.findingOf(address(market), orderId, period);
        assertEq(finding.down, 4);
        assertEq(finding.candidates, 5);
        assertFalse(finding.counted);
    }

    function test_WhenFiveVote_ItFindsWhatAnyThreeOfThemSaw() public {
        uint96[] memory downs = new uint96[](5);
        (downs[0], downs[1], downs[2], downs[3], downs[4]) = (1, 3, 7, 6, 12);
        submit(report(downs));
        assertEq(findings.findingOf(address(market), orderId, period).down, 7);
    }

    function test_WhenMoreIsFoundLater_ItIsAddedWithoutMoreTime() public {
        uint96[] memory downs = new uint96[](5);
        (downs[0], downs[1], downs[2], downs[3], downs[4]) = (3, 3, 1, 2, 0);
        IMonitors.Vote[] memory all = report(downs);
        IMonitors.Vote[] memory some = new IMonitors.Vote[](3);
        (some[0], some[1], some[2]) = (voteOf(all, accounts[0]), voteOf(all, accounts[1]), voteOf(all, accounts[2]));
        sort(some);
        submit(some);
        uint40 finalAt = findings.findingOf(address(market), orderId, period).finalAt;
        pass(1 hours);
        submit(all);
        assertEq(findings.findingOf(address(market), orderId, period).down, 3);
        assertEq(findings.findingOf(address(market), orderId, period).finalAt, finalAt);
    }

    function test_WhenVotesComeOneAfterTheOther_ItCountsThemTogether() public {
        uint96[] memory downs = new uint96[](5);
        (downs[0], downs[1], downs[2], downs[3], downs[4]) = (1, 1, 1, 2, 2);
        IMonitors.Vote[] memory all = report(downs);
        submit(only(all, 0, 3));
        IMonitors.Vote[] memory others = only(all, 3, 5);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(others);
        assertEq(findings.findingOf(address(market), orderId, period).down, 1);
    }

    /// @dev A first submission with two of the votes, a second with the third: without those kept of the first, nobody would agree.
    function test_WhenASecondSubmissionFindsMore_ItRestsOnTheVotesOfTheFirstToo() public {
        uint96[] memory downs = new uint96[](5);
        (downs[0], downs[1], downs[2], downs[3], downs[4]) = (3, 3, 1, 2, 0);
        IMonitors.Vote[] memory all = report(downs);
        submit(only(all, 0, 3));
        submit(only(all, 3, 4));
        assertEq(findings.findingOf(address(market), orderId, period).down, 3);
    }

    function test_WhenAVoterWasSlashed_ItRevertsWithNotRevealed() public {
        IMonitors.Vote[] memory votes = report(three(1, 1, 1));
        monitors.proveContradiction(address(market), orderId, period, voteOf(votes, accounts[0]), 0, acknowledge(accounts[0], orderId, 0));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotRevealed.selector, accounts[0], period));
        submit(votes);
    }

    function only(IMonitors.Vote[] memory votes, uint256 from, uint256 until) private view returns (IMonitors.Vote[] memory some) {
        some = new IMonitors.Vote[](until - from);
        for (uint256 i = from; i < until; ++i) {
            some[i - from] = voteOf(votes, accounts[i]);
        }
        sort(some);
    }

    function test_WhenTheOrderWasNotActiveThen_ItRevertsWithNothingFound() public {
        period -= 1;
        // The order was activated in the middle of the previous period, of which only the later epochs count.
        // forge-lint: disable-next-line(unsafe-typecast)
        // forge-lint: disable-next-line(unsafe-typecast)
        uint96 begun = uint96(2 ** ((block.timestamp % 8 hours + 5 minutes - 1) / 5 minutes) - 1);
        IMonitors.Vote[] memory votes = report(three(begun, begun, begun));
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(votes);
    }

    function test_WhenTheOrderHadEndedByThen_ItRevertsWithNothingFound() public {
        // forge-lint: disable-next-line(unsafe-typecast)
        period += uint64(30 days / PERIOD) + 1;
        IMonitors.Vote[] memory votes = report(three(ALL, ALL, ALL));
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(votes);
    }
}

/// @notice Nine monitors: five are needed of all, three of the five drawn.
contract FindingsSubmitByAllTest is ContestBase {
    function test_WhenMoreThanHalfOfAllAgreeAgainstThoseDrawn_ItFindsWhatTheySaw() public {
        uint96[] memory downs = nine(1, 7, 3);
        IMonitors.Vote[] memory votes = report(downs);
        submit(votes);
        IFindings.Finding memory finding = findings.findingOf(address(market), orderId, period);
        assertEq(finding.down, 3);
        assertEq(finding.candidates, 9);
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 10 minutes);
    }

    function test_WhenNobodyIsDrawnYet_ItRevertsWithNotAssigned() public {
        ++period;
        bytes32 root = leafOf(orderId, period, IMonitors.Report({ observed: ALL, down: 1 }));
        revealAll(period, 9, root);
        vm.warp(endOf(period) + 2 hours);
        IMonitors.Vote[] memory votes = new IMonitors.Vote[](9);
        for (uint256 i = 0; i < 9; ++i) {
            votes[i] = IMonitors.Vote(accounts[i], IMonitors.Report({ observed: ALL, down: 1 }), new bytes32[](0));
        }
        sort(votes);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NotAssigned.selector, votes[0].monitor));
        submit(votes);
    }

    function test_WhenHalfOfAllAgreeAgainstThoseDrawn_ItRevertsWithNothingFound() public {
        IMonitors.Vote[] memory votes = report(nine(0, 0, 3));
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(votes);
    }

    function test_WhenOneOfMoreThanHalfOfAllIsSlashed_ItIsNotCountedAtTheEnd() public {
        IMonitors.Vote[] memory votes = report(nine(1, 3, 3));
        submit(votes);
        vm.prank(stranger);
        monitors.proveContradiction(address(market), orderId, period, voteOf(votes, accounts[8]), 0, acknowledge(accounts[8], orderId, 0));
        pass(4 hours);
        findings.finish(address(market), orderId, period);
        assertEq(findings.findingOf(address(market), orderId, period).finalAt, 0);
        assertEq(findings.downtimeOf(address(market), orderId).total, 0);
    }

    function test_WhenTheProviderVotes_ItRevertsWithNotAssigned() public {
        fund(provider, 1000 * USD);
        vm.startPrank(provider);
        credit.approve(address(monitors), 1000 * USD);
        monitors.join(1000 * USD, provider);
        vm.stopPrank();
        ++period;
        drawFor(period);
        accounts.push(provider);
        uint96[] memory downs = new uint96[](10);
        IMonitors.Vote[] memory votes = report(downs);
        IMonitors.Vote[] memory one = new IMonitors.Vote[](1);
        one[0] = voteOf(votes, provider);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NotAssigned.selector, provider));
        submit(one);
    }
}
