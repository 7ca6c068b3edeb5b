// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsEarnTest is MonitorsBase {
    address private who;

    function setUp() public override {
        super.setUp();
        fund(address(monitors), 900 * USD);
        who = accounts[1];
    }

    function up() private pure returns (IMonitors.Report memory) {
        return IMonitors.Report({ observed: ALL, down: 0 });
    }

    function own() private returns (IMonitors.Sample memory) {
        return sampleOf(who, period, up());
    }

    function signFor(IMonitors.Sample memory sample, uint256 key, address monitor, uint256 epoch, bool healthy) private view {
        sample.signature = signAs(key, attestationTo(monitor, epoch, healthy, "image"));
    }

    function operatorKey() private returns (uint256 key) {
        (, key) = makeAddrAndKey("operator");
    }

    function test_WhenThePeriodIsNotOverOrFourHavePassedSince_ItRevertsWithOutsideWindow() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        bytes memory outside = abi.encodeWithSelector(IMonitors.OutsideWindow.selector, endOf(period), endOf(period) + 4 * PERIOD);
        vm.warp(endOf(period) + 4 * PERIOD);
        vm.expectRevert(outside);
        earnAs(who, period, sample);
        vm.warp(endOf(period) - 1);
        vm.expectRevert(outside);
        earnAs(who, period, sample);
        vm.warp(endOf(period) + 4 * PERIOD - 1);
        earnAs(who, period, sample);
    }

    function test_WhenItWasPaidBefore_ItRevertsWithAlreadyPaid() public {
        earnAll(period, 2);
        assertTrue(monitors.isPaid(who, period));
        assertFalse(monitors.isPaid(who, period + 1));
        IMonitors.Sample memory sample = own();
        vm.expectRevert(abi.encodeWithSelector(IMonitors.AlreadyPaid.selector, who, period));
        earnAs(who, period, sample);
    }

    function test_WhenTheCallerDidNotMonitorThroughThePeriod_ItRevertsWithNotMonitor() public {
        vm.warp(endOf(period) - 1);
        who = joinAs("late");
        accounts[1] = who;
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, who));
        earnAs(who, period, sample);
    }

    function test_WhenItLostItsBondAndJoinedAgain_ItRevertsWithNotMonitor() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        // Over the next period it lies.
        ++period;
        uint96[] memory downs = new uint96[](2);
        downs[1] = ALL;
        IMonitors.Vote memory vote = voteOf(report(downs), who);
        for (uint8 epoch = 0; epoch < 6; ++epoch) {
            monitors.proveContradiction(address(market), orderId, period, vote, epoch, acknowledge(who, orderId, epoch));
        }
        --period;
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, who));
        earnAs(who, period, sample);
        fund(who, 1000 * USD);
        vm.prank(who);
        monitors.join(1000 * USD, who);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, who));
        earnAs(who, period, sample);
    }

    function test_WhenNothingIsDrawnYet_ItRevertsWithNotDrawn() public {
        revealAll(period, 2, leafOf(orderId, period, up()));
        IMonitors.Sample memory sample = own();
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotDrawn.selector, period + 3));
        earnAs(who, period, sample);
    }

    function test_WhenTooManySamplesAreShown_ItRevertsWithTooManySamples() public {
        observeAll(period, 2);
        IMonitors.Sample[] memory samples = new IMonitors.Sample[](9);
        for (uint256 i = 0; i < 9; ++i) {
            samples[i] = own();
        }
        vm.expectRevert(abi.encodeWithSelector(IMonitors.TooManySamples.selector, 9, 8));
        vm.prank(who);
        monitors.earn(period, samples);
    }

    function test_WhenItRevealedNothingOrWasSlashedOverThePeriod_ItRevertsWithNotRevealed() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = sampleOf(accounts[2], period, up());
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotRevealed.selector, accounts[2], period));
        earnAs(accounts[2], period, sample);
        ++period;
        IMonitors.Report memory lie = IMonitors.Report({ observed: ALL, down: 4 });
        revealAll(period, 2, leafOf(orderId, period, lie));
        drawFor(period + 3);
        sample = sampleOf(who, period, lie);
        monitors.proveContradiction(address(market), orderId, period, sample.vote, 2, acknowledge(who, orderId, 2));
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotRevealed.selector, who, period));
        earnAs(who, period, sample);
    }

    function test_WhenTheReportIsAnothersOrAnotherOne_ItRevertsWithNotReported() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        sample.vote.report.down = 1;
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotReported.selector, who));
        earnAs(who, period, sample);
        sample = sampleOf(accounts[0], period, up());
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotReported.selector, accounts[0]));
        earnAs(who, period, sample);
    }

    /// @dev A tree of two reports: this one is drawn, or the other one.
    function test_WhenAnotherReportIsDrawn_ItRevertsWithNotTheSample() public {
        bytes32[] memory siblings = new bytes32[](1);
        siblings[0] = keccak256("another order");
        revealAll(period, 5, rootOf(orderId, leafOf(orderId, period, up()), siblings));
        drawFor(period + 3);
        bool isRight = uint256(keccak256(abi.encode(address(market), orderId))) >> 255 == 1;
        uint256 shown;
        for (uint256 i = 0; i < 5; ++i) {
            IMonitors.Sample memory sample = sampleOf(accounts[i], period, up());
            sample.vote.proof = siblings;
            if (isDrawn(accounts[i], 0, isRight)) ++shown;
            else vm.expectRevert(abi.encodeWithSelector(IMonitors.NotTheSample.selector, 0));
            earnAs(accounts[i], period, sample);
        }
        assertGt(shown, 0);
        assertLt(shown, 5);
    }

    function test_WhenTheMarketWasNeverInService_ItRevertsWithNoMarket() public {
        address fake = makeAddr("fake market");
        IMonitors.Report memory seen = up();
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(fake, orderId, period, seen.observed, seen.down))));
        revealAll(period, 2, leaf);
        drawFor(period + 3);
        IMonitors.Sample memory sample = own();
        sample.market = fake;
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NoMarket.selector, fake));
        earnAs(who, period, sample);
    }

    function test_WhenTheAttestationWasMadeForAnotherMonitor_ItRevertsWithBadSignature() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        signFor(sample, operatorKey(), accounts[0], drawnEpoch(who, period, up(), 0), true);
        vm.expectRevert(IMonitors.BadSignature.selector);
        earnAs(who, period, sample);
    }

    function test_WhenItIsOfAnotherEpochOrOfAMachineThatWasNotWell_ItRevertsWithBadSignature() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        uint256 epoch = drawnEpoch(who, period, up(), 0);
        signFor(sample, operatorKey(), who, epoch + 1, true);
        vm.expectRevert(IMonitors.BadSignature.selector);
        earnAs(who, period, sample);
        signFor(sample, operatorKey(), who, epoch, false);
        vm.expectRevert(IMonitors.BadSignature.selector);
        earnAs(who, period, sample);
    }

    function test_WhenItIsNotByTheOperator_ItRevertsWithBadSignature() public {
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        signFor(sample, keys[who], who, drawnEpoch(who, period, up(), 0), true);
        vm.expectRevert(IMonitors.BadSignature.selector);
        earnAs(who, period, sample);
        sample.signature = new bytes(65);
        vm.expectRevert(IMonitors.BadSignature.selector);
        earnAs(who, period, sample);
    }

    function test_WhenTheCallerIsTheProvider_ItRevertsWithBadSignature() public {
        fund(provider, 1000 * USD);
        vm.startPrank(provider);
        credit.approve(address(monitors), 1000 * USD);
        monitors.join(1000 * USD, provider);
        vm.stopPrank();
        (who, accounts[1]) = (provider, provider);
        ++period;
        observeAll(period, 2);
        IMonitors.Sample memory sample = own();
        vm.expectRevert(IMonitors.BadSignature.selector);
        earnAs(who, period, sample);
    }

    function test_WhenNothingWasUp_ItRevertsWithNothingShown() public {
        IMonitors.Report memory seen = IMonitors.Report({ observed: 12, down: 12 });
        revealAll(period, 2, leafOf(orderId, period, seen));
        drawFor(period + 3);
        IMonitors.Sample memory sample = sampleOf(who, period, seen);
        vm.expectRevert(IMonitors.NothingShown.selector);
        earnAs(who, period, sample);
    }

    /// @dev To report an outage costs no pay: its report is passed over, and the next target leads to another one.
    function test_WhenWhatIsDrawnFirstWasDown_ItPassesOverIt() public {
        bool isRight = uint256(keccak256(abi.encode(address(market), orderId))) >> 255 == 1;
        uint64 other = orderId + 1;
        while ((uint256(keccak256(abi.encode(address(market), other))) >> 255 == 1) == isRight) ++other;
        IMonitors.Report memory gone = IMonitors.Report({ observed: ALL, down: ALL });
        (bytes32[] memory above, bytes32[] memory beside) = (new bytes32[](1), new bytes32[](1));
        above[0] = leafOf(other, period, gone);
        beside[0] = leafOf(orderId, period, up());
        revealAll(period, 5, rootOf(orderId, beside[0], above));
        drawFor(period + 3);
        uint256 passed;
        for (uint256 i = 0; i < 5; ++i) {
            uint256 first;
            while (!isDrawn(accounts[i], first, isRight)) ++first;
            if (first > 0) ++passed;
            IMonitors.Sample[] memory samples = new IMonitors.Sample[](first + 1);
            for (uint256 j = 0; j < first; ++j) {
                samples[j] = sampleOf(accounts[i], period, gone);
                (samples[j].orderId, samples[j].vote.proof) = (other, beside);
            }
            samples[first] = sampleOf(accounts[i], period, up());
            samples[first].vote.proof = above;
            signFor(samples[first], operatorKey(), accounts[i], drawnEpoch(accounts[i], period, up(), first), true);
            vm.prank(accounts[i]);
            monitors.earn(period, samples);
            assertEq(monitors.earned(accounts[i]), 2 * USD);
        }
        assertGt(passed, 0);
    }

    function isDrawn(address account, uint256 index, bool isRight) private view returns (bool) {
        bytes32 target = keccak256(abi.encode("sample", monitors.beaconOf(period + 3), account, index));
        return (uint256(target) >> 255 == 1) == isRight;
    }

    function test_WhenTheSampleIsShown_ItPaysEachTheSamePartOfThePool() public {
        observeAll(period, 3);
        earnAs(accounts[0], period, sampleOf(accounts[0], period, up()));
        // Additions to the pool count from the next period on.
        fund(address(monitors), 900 * USD);
        IMonitors.Sample memory sample = own();
        vm.expectEmit(address(monitors));
        emit IMonitors.PayEarned(who, period, 2 * USD);
        earnAs(who, period, sample);
        assertEq(monitors.earned(who), 2 * USD);
        assertEq(monitors.earned(accounts[0]), 2 * USD);
        assertEq(monitors.earned(accounts[2]), 0);
    }

    function test_WhenTheOperatorWasReplacedSince_ItPaysAllTheSame() public {
        observeAll(period, 2);
        vm.prank(provider);
        registry.setOperator(stranger);
        earnAs(who, period, own());
        assertEq(monitors.earned(who), 2 * USD);
    }
}
