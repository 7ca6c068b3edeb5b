// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { ContestBase } from "../../monitors/ContestBase.sol";

contract FindingsContestTest is ContestBase {
    uint96 private constant LIE = 0xfff0;

    /// @notice Three drawn monitors lie, which becomes the finding; four that were not drawn report `others`.
    function lie(uint96 others) private returns (IMonitors.Vote[] memory votes) {
        votes = report(nine(3, LIE, others));
        submit(votesOf(votes, 0, 3));
    }

    function test_WhenNothingIsFound_ItRevertsWithNothingFound() public {
        IMonitors.Vote[] memory votes = report(nine(3, LIE, 0));
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        contest(votesOf(votes, 5, 9));
    }

    function test_WhenTheFindingIsFinal_ItRevertsWithOutsideWindow() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 9);
        pass(4 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, 0, endOf(period) + 6 hours));
        contest(votes);
    }

    function test_WhenAThirdOfAllSawItUp_ItRevertsWithTooFewVotes() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 8);
        vm.expectRevert(abi.encodeWithSelector(IFindings.TooFewVotes.selector, 3, 4));
        contest(votes);
    }

    function test_WhenOneSaysSoTwice_ItRevertsWithUnorderedVotes() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 9);
        votes[1] = votes[0];
        vm.expectRevert(abi.encodeWithSelector(IFindings.UnorderedVotes.selector));
        contest(votes);
    }

    function test_WhenOneOfThemWasDrawn_ItRevertsWithNoWitness() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 4, 8);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoWitness.selector, accounts[4]));
        contest(votes);
    }

    function test_WhenTheProviderIsOneOfThem_ItRevertsWithNoWitness() public {
        fund(provider, monitors.MIN_BOND());
        vm.startPrank(provider);
        credit.approve(address(monitors), type(uint256).max);
        monitors.join(monitors.MIN_BOND(), provider);
        vm.stopPrank();
        assertTrue(monitors.monitorsThrough(provider, period));
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 9);
        votes[3].monitor = provider;
        sort(votes);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoWitness.selector, provider));
        contest(votes);
    }

    function test_WhenOneOfThemJoinedLater_ItRevertsWithNoWitness() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 9);
        address late = joinAs("late");
        votes[3].monitor = late;
        sort(votes);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoWitness.selector, late));
        contest(votes);
    }

    function test_WhenOneOfThemIsNone_ItRevertsWithNoWitness() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 9);
        votes[0].monitor = address(1);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NoWitness.selector, address(1)));
        contest(votes);
    }

    function test_WhenAReportIsNotUnderTheRoot_ItRevertsWithNotReported() public {
        IMonitors.Vote[] memory votes = votesOf(lie(LIE), 5, 9);
        votes[0].report.down = 0;
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotReported.selector, votes[0].monitor));
        contest(votes);
    }

    /// @dev Each of the four saw another epoch down.
    function test_WhenAThirdSawEachEpochUp_ItRevertsWithNoContradiction() public {
        uint96[] memory downs = nine(3, 0xf0, 0);
        for (uint256 i = 5; i < 9; ++i) {
            // One of four bits.
            // forge-lint: disable-next-line(unsafe-typecast)
            downs[i] = uint96(0x10) << uint96(i - 5);
        }
        IMonitors.Vote[] memory votes = report(downs);
        submit(votesOf(votes, 0, 3));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        contest(votesOf(votes, 5, 9));
    }

    function test_WhenOneLookedAtNoneOfTheseEpochs_ItRevertsWithNoContradiction() public {
        uint96[] memory observed = new uint96[](9);
        for (uint256 i = 0; i < 8; ++i) {
            observed[i] = ALL;
        }
        observed[8] = 15;
        IMonitors.Vote[] memory votes = report(nine(3, LIE, 0), observed);
        submit(votesOf(votes, 0, 3));
        votes = votesOf(votes, 5, 9);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        contest(votes);
    }

    function test_WhenMoreThanAThirdSawItUp_ItMakesVoidWhatWasFound() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0), 5, 9);
        vm.expectEmit(address(findings));
        emit IFindings.Contested(address(market), orderId, period, LIE);
        vm.expectEmit(address(findings));
        emit IFindings.FindingDropped(address(market), orderId, period);
        contest(votes);
        assertEq(findings.findingOf(address(market), orderId, period).down, 0);
    }

    /// @dev Three liars lengthen a true outage: what is true of it stays.
    function test_WhenMoreThanAThirdSawAPartOfItUp_ItMakesThatPartVoid() public {
        IMonitors.Vote[] memory votes = votesOf(lie(0x1f0), 5, 9);
        vm.expectEmit(address(findings));
        emit IFindings.Contested(address(market), orderId, period, LIE & ~uint96(0x1f0));
        vm.expectEmit(address(findings));
        emit IFindings.Found(address(market), orderId, period, 0x1f0, uint40(endOf(period) + 6 hours));
        contest(votes);
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 25 minutes);
    }

    function test_WhenAPartOfItWasAnnouncedAsMaintenance_ItSaysHowMuchIsLeft() public {
        uint64[] memory nodeIds = new uint64[](1);
        nodeIds[0] = nodeId;
        period += 4;
        vm.prank(provider);
        findings.announceMaintenance(nodeIds, period * 96 + 4, 10);
        drawFor(period);
        sortDrawn();
        IMonitors.Vote[] memory votes = votesOf(lie(0x1f0), 5, 9);
        assertEq(findings.findingOf(address(market), orderId, period).announced, 10);
        contest(votes);
        assertEq(findings.findingOf(address(market), orderId, period).announced, 5);
    }

    function test_WhenItIsVotedForAgain_ItRevertsWithNothingFound() public {
        IMonitors.Vote[] memory votes = lie(0);
        contest(votesOf(votes, 5, 9));
        IMonitors.Vote[] memory again = votesOf(votes, 0, 3);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        submit(again);
    }

    function test_WhenItsTimeIsOver_ItIsDroppedAndTheProviderIsPaidInFull() public {
        contest(votesOf(lie(0), 5, 9));
        pass(4 hours);
        vm.expectEmit(address(findings));
        emit IFindings.FindingDropped(address(market), orderId, period);
        findings.finish(address(market), orderId, period);
        assertEq(findings.downtimeOf(address(market), orderId).total, 0);
        vm.warp(market.getOrder(orderId).activateTime + 32 days);
        market.proSettle(orderId);
        assertEq(market.earned(provider), 420 * USD);
    }

    function test_WhenWhoReportedItLooks_NobodyHasLostABond() public {
        contest(votesOf(lie(0), 5, 9));
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(monitors.monitorOf(accounts[i]).bond, 1000 * USD);
        }
    }

    function test_WhenSomethingIsProvenToo_ItLeavesWhatIsProven() public {
        IMonitors.Vote[] memory votes = lie(0);
        proveWrongImage(0x30);
        vm.expectEmit(address(findings));
        emit IFindings.Found(address(market), orderId, period, 0x30, uint40(endOf(period) + 6 hours));
        contest(votesOf(votes, 5, 9));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 10 minutes);
    }
}
