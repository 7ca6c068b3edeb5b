// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { DenyingWallet } from "../../fixtures/DenyingWallet.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsProveContradictionTest is MonitorsBase {
    function contradict(IMonitors.Vote memory vote, uint8 epoch, bytes memory signature) private {
        vm.prank(stranger);
        monitors.proveContradiction(address(market), orderId, period, vote, epoch, signature);
    }

    function test_WhenTheMonitorHasNoBond_ItRevertsWithNotMonitor() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        vote.monitor = stranger;
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, stranger));
        contradict(vote, 2, "");
    }

    function test_WhenTheReportIsNotItsOwn_ItRevertsWithNotReported() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        vote.report.down = 8;
        bytes memory signature = acknowledge(accounts[0], orderId, 3);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotReported.selector, accounts[0]));
        contradict(vote, 3, signature);
    }

    function test_WhenTheReportSaysItWasUp_ItRevertsWithNoContradiction() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId, 1);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        contradict(vote, 1, signature);
    }

    function test_WhenTheEpochIsNotOfThePeriod_ItRevertsWithNoContradiction() public {
        IMonitors.Vote memory vote = voteOf(report(three(ALL, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId, 96);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        contradict(vote, 96, signature);
    }

    function test_WhenAnotherMonitorAcknowledged_ItRevertsWithBadSignature() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[1], orderId, 2);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
        contradict(vote, 2, signature);
    }

    function test_WhenAnotherOrderWasAcknowledged_ItRevertsWithBadSignature() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId + 1, 2);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
        contradict(vote, 2, signature);
    }

    function test_WhenTheSignatureHasNoSigner_ItRevertsWithBadSignature() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes[3] memory signatures = [bytes(""), new bytes(65), new bytes(64)];
        for (uint256 i = 0; i < signatures.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
            contradict(vote, 2, signatures[i]);
        }
    }

    function test_WhenTheEpochWasProvenBefore_ItRevertsWithNoContradiction() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        contradict(vote, 2, signature);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        contradict(vote, 2, signature);
    }

    function test_WhenTheMonitorNeverNamedTheKey_ItRevertsWithBadSignature() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        (, keys[accounts[0]]) = makeAddrAndKey("monitor0");
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
        contradict(vote, 2, signature);
    }

    function test_WhenTheMonitorIsAContractWithoutAnyKeyOfItsOwn_ItIsFinedForWhatTheKeySigned() public {
        vm.etch(accounts[0], type(DenyingWallet).runtimeCode);
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        contradict(vote, 2, acknowledge(accounts[0], orderId, 2));
        assertEq(monitors.monitorOf(accounts[0]).bond, 950 * USD);
    }

    function test_WhenItHasNamedAnotherKeySince_ItIsFinedAllTheSame() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(accounts[0]);
            // a small number
            // forge-lint: disable-next-line(unsafe-typecast)
            monitors.nameKey(address(uint160(i + 1)));
        }
        contradict(vote, 2, signature);
        assertEq(monitors.monitorOf(accounts[0]).bond, 950 * USD);
    }

    function test_WhenTheKeyHasGotCodeThatDeniesItsSignature_ItIsFinedAllTheSame() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        vm.etch(monitors.keyOf(accounts[0]), type(DenyingWallet).runtimeCode);
        contradict(vote, 2, signature);
        assertEq(monitors.monitorOf(accounts[0]).bond, 950 * USD);
    }

    function test_WhenAMonitorLiedAboutAnEpoch_ItLosesATwentiethOfItsBondAndItsVotesOfThePeriod() public {
        IMonitors.Vote[] memory votes = report(three(4, 4, 4));
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        uint256 supply = credit.totalSupply();
        uint256 before = credit.balanceOf(stranger);
        vm.expectEmit(address(monitors));
        emit IMonitors.MonitorSlashed(accounts[0], period, stranger, 50 * USD);
        contradict(voteOf(votes, accounts[0]), 2, signature);
        assertEq(credit.balanceOf(stranger) - before, 25 * USD);
        assertEq(supply - credit.totalSupply(), 25 * USD);
        assertEq(monitors.monitorOf(accounts[0]).bond, 950 * USD);
        assertEq(monitors.votingRootOf(accounts[0], period), 0);
        assertEq(monitors.votingRootOf(accounts[1], period), monitors.rootOf(accounts[1], period));
        assertTrue(monitors.isSlashed(accounts[0], period));
        assertEq(monitors.contradictedIn(accounts[0], address(market), orderId, period), 4);
        assertEq(monitors.contradictedIn(accounts[0], address(market), orderId, period + 1), 0);
        assertEq(monitors.monitors().length, 5, "it keeps its place");
    }

    function test_WhenItLiedAboutSixEpochs_ItLosesAllItsBondItsPlaceAndItsPay() public {
        fund(address(monitors), 900 * USD);
        earnAll(period, 3);
        ++period;
        IMonitors.Vote memory vote = voteOf(report(three(ALL, 4, 4)), accounts[0]);
        uint256[6] memory left = [uint256(950e18), 855e18, 684e18, 410.4e18, 82.08e18, 0];
        assertEq(monitors.earned(accounts[0]), 2 * USD);
        for (uint8 epoch = 0; epoch < 6; ++epoch) {
            contradict(vote, epoch, acknowledge(accounts[0], orderId, epoch));
            assertEq(monitors.monitorOf(accounts[0]).bond, left[epoch]);
        }
        assertEq(monitors.monitors().length, 4);
        assertEq(monitors.earned(accounts[0]), 0);
        assertEq(monitors.pool(), 900 * USD - 4 * USD);
        bytes memory seventh = acknowledge(accounts[0], orderId, 6);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, accounts[0]));
        contradict(vote, 6, seventh);
    }

    function test_WhenTheMonitorHasLeft_ItIsFinedAllTheSame() public {
        IMonitors.Vote memory vote = voteOf(report(three(ALL, 4, 4)), accounts[0]);
        vm.prank(accounts[0]);
        monitors.resign();
        for (uint8 epoch = 0; epoch < 6; ++epoch) {
            contradict(vote, epoch, acknowledge(accounts[0], orderId, epoch));
        }
        assertEq(monitors.monitorOf(accounts[0]).bond, 0);
        pass(14 days);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, accounts[0]));
        vm.prank(accounts[0]);
        monitors.takeBond();
    }
}
