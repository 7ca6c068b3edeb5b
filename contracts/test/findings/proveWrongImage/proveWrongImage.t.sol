// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { DenyingWallet } from "../../fixtures/DenyingWallet.sol";
import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsProveWrongImageTest is MonitorsBase {
    uint256 private operatorKey;
    uint256 private strangerKey;

    function setUp() public override {
        super.setUp();
        (, operatorKey) = makeAddrAndKey("operator");
        (, strangerKey) = makeAddrAndKey("stranger");
    }

    function prove(IFindings.Deployment memory deployment, IFindings.Attested memory attested) private {
        IFindings.Attested[] memory list = new IFindings.Attested[](1);
        list[0] = attested;
        findings.proveWrongImage(address(market), orderId, period, deployment, list);
    }

    function expectOutside() private {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period), endOf(period) + 26 hours));
    }

    function test_WhenThePeriodIsNotOver_ItRevertsWithOutsideWindow() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period) - 1);
        expectOutside();
        prove(deployment, attested);
    }

    function test_WhenADayHasPassedWithoutAFinding_ItRevertsWithOutsideWindow() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period) + 26 hours);
        expectOutside();
        prove(deployment, attested);
    }

    function test_WhenTheFindingIsFinal_ItRevertsWithOutsideWindow() public {
        submit(report(three(1, 1, 1)));
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period) + 6 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period), endOf(period) + 6 hours));
        prove(deployment, attested);
    }

    function test_WhenAStrangerSignedTheDeployment_ItRevertsWithBadSignature() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(strangerKey, "image");
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
        prove(deployment, attested);
    }

    function test_WhenAStrangerSignedAnAttestation_ItRevertsWithBadSignature() public {
        IFindings.Attested memory attested = attest(strangerKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
        prove(deployment, attested);
    }

    function test_WhenTheSameImageRan_ItRevertsWithNoContradiction() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "image");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        prove(deployment, attested);
    }

    function test_WhenTheEpochIsNotOfThePeriod_ItRevertsWithNoContradiction() public {
        IFindings.Attested memory attested = attest(operatorKey, 96, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoContradiction.selector));
        prove(deployment, attested);
    }

    function test_WhenNothingIsAttested_ItRevertsWithNothingFound() public {
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        findings.proveWrongImage(address(market), orderId, period, deployment, new IFindings.Attested[](0));
    }

    function test_WhenTheOrderWasNotActiveThen_ItRevertsWithNothingFound() public {
        period -= 2;
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.expectRevert(abi.encodeWithSelector(IFindings.NothingFound.selector));
        prove(deployment, attested);
    }

    function test_WhenAnotherImageRan_ItCountsTheseEpochsAsDowntimeAndTheLockPays() public {
        vm.warp(endOf(period));
        vm.expectEmit(address(findings));
        emit IFindings.WrongImage(address(market), orderId, period, ALL, "deployment");
        vm.expectEmit(address(findings));
        emit IFindings.Found(address(market), orderId, period, ALL, uint40(endOf(period) + 6 hours));
        proveWrongImage(ALL);
        vm.warp(endOf(period) + 6 hours);
        findings.credit(address(market), orderId, period);
        IMarket.Order memory order = market.getOrder(orderId);
        assertEq(order.down, 8 hours);
        vm.warp(order.activateTime + 32 days);
        market.proSettle(orderId);
        assertEq(market.earned(provider), 420 * USD * (30 days - 8 hours) / 30 days);
        assertEq(market.getOrder(orderId).creditedTwice, 8 hours - (endOf(period) - order.activateTime) / 200);
    }

    function test_WhenMonitorsFoundSomethingToo_ItCountsBoth() public {
        vm.warp(endOf(period));
        proveWrongImage(8);
        submit(report(three(3, 3, 3)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 15 minutes);
    }

    function replaceOperator() private {
        vm.prank(provider);
        registry.setOperator(stranger);
    }

    function test_WhenTheOperatorWasReplacedInTheMeantime_ItCountsToo() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        replaceOperator();
        prove(deployment, attested);
        assertEq(findings.findingOf(address(market), orderId, period).proven, 8);
    }

    function test_WhenTheOperatorWasReplacedBeforeThePeriod_ItRevertsWithBadSignature() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period) - PERIOD);
        replaceOperator();
        vm.warp(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.BadSignature.selector));
        prove(deployment, attested);
    }

    function test_WhenTheOperatorHasGotCodeThatDeniesItsSignature_ItCountsToo() public {
        IFindings.Attested memory attested = attest(operatorKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        vm.etch(operator, type(DenyingWallet).runtimeCode);
        prove(deployment, attested);
        assertEq(findings.findingOf(address(market), orderId, period).proven, 8);
    }

    function test_WhenTheProviderSignedItself_ItCountsToo() public {
        (, uint256 providerKey) = makeAddrAndKey("provider");
        IFindings.Attested memory attested = attest(providerKey, 3, "other");
        IFindings.Deployment memory deployment = signDeployment(operatorKey, "image");
        vm.warp(endOf(period));
        prove(deployment, attested);
        assertEq(findings.findingOf(address(market), orderId, period).proven, 8);
    }

    function test_WhenMoreIsProvenLater_ItIsAddedWithoutMoreTime() public {
        vm.warp(endOf(period));
        proveWrongImage(8);
        pass(1 hours);
        proveWrongImage(2);
        IFindings.Finding memory finding = findings.findingOf(address(market), orderId, period);
        assertEq(finding.proven, 10);
        assertEq(finding.finalAt, endOf(period) + 6 hours);
    }

    function test_WhenAVoterIsSlashed_ItCountsAllTheSame() public {
        IMonitors.Vote[] memory votes = report(three(4, 4, 4));
        submit(votes);
        proveWrongImage(8);
        bytes memory signature = acknowledge(accounts[0], orderId, 2);
        monitors.proveContradiction(address(market), orderId, period, voteOf(votes, accounts[0]), 2, signature);
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 5 minutes);
    }
}
