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

    function test_WhenTheMonitorHasGotCodeThatDeniesItsSignature_ItLosesItsBondAllTheSame() public {
        IMonitors.Vote memory vote = voteOf(report(three(4, 4, 4)), accounts[0]);
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        vm.etch(accounts[0], type(DenyingWallet).runtimeCode);
        contradict(vote, 2, signature);
        assertEq(monitors.monitorOf(accounts[0]).bond, 0);
    }

    function test_WhenAMonitorLied_ItLosesItsBondAndItsVote() public {
        IMonitors.Vote[] memory votes = report(three(4, 4, 4));
        submit(votes);
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        uint256 supply = credit.totalSupply();
        uint256 before = credit.balanceOf(stranger);
        vm.expectEmit(address(monitors));
        emit IMonitors.MonitorSlashed(accounts[0], period, stranger, 1000 * USD);
        contradict(voteOf(votes, accounts[0]), 2, signature);
        assertEq(credit.balanceOf(stranger) - before, 500 * USD);
        assertEq(supply - credit.totalSupply(), 500 * USD);
        assertEq(monitors.monitorOf(accounts[0]).bond, 0);
        assertEq(monitors.rootOf(accounts[0], period), 0);
        pass(4 hours);
        vm.expectEmit(address(monitors));
        emit IMonitors.FindingDropped(address(market), orderId, period);
        monitors.finish(address(market), orderId, period);
        assertEq(monitors.downtimeOf(address(market), orderId).total, 0);
    }

    function test_WhenTheMonitorHasLeft_ItLosesItsBondAllTheSame() public {
        IMonitors.Vote[] memory votes = report(three(4, 4, 4));
        vm.prank(accounts[0]);
        monitors.resign();
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        contradict(voteOf(votes, accounts[0]), 2, signature);
        assertEq(monitors.monitorOf(accounts[0]).bond, 0);
    }
}
