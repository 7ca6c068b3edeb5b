// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { console } from "forge-std/console.sol";
import { LibBit } from "solady/utils/LibBit.sol";
import { IFindings } from "../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../monitors/MonitorsBase.sol";

/// @notice Outages of one machine that 64 monitors watch, some of whom collude, with any of these plots. All others do what the program does:
/// report what was, publish it, submit what enough saw down, and contest what enough saw up.
contract ColludersTest is MonitorsBase {
    enum Plot {
        Silent,
        CommittedAndSilent,
        AllUp,
        AllDown,
        Opposite,
        EachAtRandom,
        TogetherAtRandom,
        Longer,
        Shorter,
        FiveMinutes,
        Sacrificed,
        OnlyAPartIsSubmitted
    }

    uint256 private constant MONITORS = 64;
    uint256 private constant THIRD = 21;
    uint256 private constant HALF = 32;
    uint256 private constant PLOTS = uint256(type(Plot).max) + 1;

    /// @dev In epochs: what was credited without an outage, and what an outage had and was not credited.
    struct Outcome {
        uint256 wrong;
        uint256 missed;
    }

    struct Scene {
        uint96 truth;
        uint256 colluders;
        Plot plot;
        uint256 seed;
        address[] drawn;
        IMonitors.Vote[] votes;
    }

    function setUp() public override {
        super.setUp();
        for (uint256 i = 5; i < MONITORS; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        ++period;
    }

    /// @dev A thousand of them in the long run.
    function test_AThirdTakesNothingAndHidesNothing() public {
        vm.pauseGasMetering();
        uint256 outages = vm.envOr("RACKFAIR_DEEP", uint256(0)) == 1 ? 1000 : 2 * PLOTS;
        for (uint256 i = 0; i < outages; ++i) {
            Outcome memory outcome = this.live(i, THIRD);
            assertEq(outcome.wrong, 0, "a wrong debit");
            assertEq(outcome.missed, 0, "an epoch of an outage was not refunded");
        }
    }

    /// @dev Half of all cannot invent a second of an outage. They hide one wherever most of those drawn are theirs, and void what others find.
    function test_HalfTakesNothingAndHidesOutages() public {
        vm.pauseGasMetering();
        uint256 outages = vm.envOr("RACKFAIR_DEEP", uint256(0)) == 1 ? 1000 : PLOTS;
        uint256 hidden;
        for (uint256 i = 0; i < outages; ++i) {
            Outcome memory outcome = this.live(i, HALF);
            assertEq(outcome.wrong, 0, "a wrong debit");
            if (outcome.missed != 0) ++hidden;
        }
        assertGt(hidden, 0);
        console.log("of", outages, "outages half of all monitors hid", hidden);
    }

    /// @dev Everything is as before afterwards, the memory too.
    function live(uint256 number, uint256 colluders) external returns (Outcome memory outcome) {
        uint256 state = vm.snapshotState();
        Scene memory scene;
        scene.seed = uint256(keccak256(abi.encode("outage", number)));
        (scene.colluders, scene.plot) = (colluders, Plot(number % PLOTS));
        uint256 first = (scene.seed >> 8) % 96;
        // At most 96 epochs from the first one on.
        // forge-lint: disable-next-line(unsafe-typecast)
        scene.truth = uint96((2 ** (1 + (scene.seed >> 16) % (96 - first)) - 1) << first);
        vm.roll(1000 + scene.seed % 1_000_000);
        drawFor(period);
        scene.drawn = monitors.assigned(provider, nodeId, period);
        tell(scene);
        colluded(scene);
        vm.warp(endOf(period) + 2 hours + 10 minutes);
        found(scene);
        spoil(scene);
        try findings.contest(address(market), orderId, period, some(scene, false, true, true)) { } catch { }
        sacrifice(scene);
        vm.warp(endOf(period) + 7 hours);
        if (!isCredited()) {
            // The votes that were found first are gone; what the others saw is found again.
            found(scene);
            vm.warp(endOf(period) + 11 hours);
            isCredited();
        }
        uint96 down = findings.findingOf(address(market), orderId, period).down;
        assertEq(market.getOrder(orderId).down, LibBit.popCount(down) * EPOCH);
        (outcome.wrong, outcome.missed) = (LibBit.popCount(down & ~scene.truth), LibBit.popCount(scene.truth & ~down));
        vm.revertToStateAndDelete(state);
    }

    function tell(Scene memory scene) private {
        bytes32[] memory siblings = new bytes32[](1);
        siblings[0] = keccak256("another order");
        bytes32[] memory roots = new bytes32[](MONITORS);
        scene.votes = new IMonitors.Vote[](MONITORS);
        vm.warp(endOf(period));
        for (uint256 i = 0; i < MONITORS; ++i) {
            IMonitors.Report memory seen = IMonitors.Report({ observed: ALL, down: i < scene.colluders ? lieOf(scene, i) : scene.truth });
            roots[i] = rootOf(orderId, leafOf(orderId, period, seen), siblings);
            scene.votes[i] = IMonitors.Vote({ monitor: accounts[i], report: seen, proof: siblings });
            if (i >= scene.colluders || scene.plot != Plot.Silent) commitAs(accounts[i], period, roots[i]);
        }
        vm.warp(endOf(period) + 1 hours);
        for (uint256 i = 0; i < MONITORS; ++i) {
            if (i >= scene.colluders || scene.plot > Plot.CommittedAndSilent) revealAs(accounts[i], period, roots[i]);
        }
        vm.warp(endOf(period) + 2 hours);
    }

    function lieOf(Scene memory scene, uint256 index) private pure returns (uint96) {
        (Plot plot, uint96 truth, uint256 seed) = (scene.plot, scene.truth, scene.seed);
        // Bits of a report.
        // forge-lint: disable-start(unsafe-typecast)
        if (plot == Plot.AllDown) return ALL;
        if (plot == Plot.Opposite) return ~truth;
        if (plot == Plot.EachAtRandom) return uint96(uint256(keccak256(abi.encode(seed, index))));
        if (plot == Plot.TogetherAtRandom) return uint96(uint256(keccak256(abi.encode(seed))));
        if (plot == Plot.Longer || plot == Plot.Sacrificed) return truth | truth << 1 | truth >> 1;
        if (plot == Plot.Shorter) return truth & truth << 1;
        if (plot == Plot.FiveMinutes) return uint96(1) << uint96(seed % 96);
        return plot == Plot.OnlyAPartIsSubmitted ? truth & uint96(uint256(keccak256(abi.encode(seed)))) : 0;
        // forge-lint: disable-end(unsafe-typecast)
    }

    /// @dev They submit first, what they reported themselves and what is of use to them of the others, and contest what they found.
    function colluded(Scene memory scene) private {
        if (scene.plot <= Plot.CommittedAndSilent) return;
        try findings.submit(address(market), orderId, period, some(scene, true, false, true)) { } catch { }
        if (scene.plot == Plot.OnlyAPartIsSubmitted) {
            try findings.submit(address(market), orderId, period, some(scene, true, true, false)) { } catch { }
        }
    }

    /// @dev Those drawn, then all, if they find more.
    function found(Scene memory scene) private {
        try findings.submit(address(market), orderId, period, some(scene, false, true, false)) { } catch { }
        IFindings.Finding memory finding = findings.findingOf(address(market), orderId, period);
        if (scene.truth & ~(finding.down | finding.contested) == 0) return;
        try findings.submit(address(market), orderId, period, some(scene, false, false, false)) { } catch { }
    }

    /// @dev As the program does it: what the market refuses is only finished.
    function isCredited() private returns (bool) {
        try findings.credit(address(market), orderId, period) {
            return true;
        } catch {
            try findings.finish(address(market), orderId, period) { } catch { }
            return false;
        }
    }

    /// @dev They contest what the others found, and submit again at the last second.
    function spoil(Scene memory scene) private {
        try findings.contest(address(market), orderId, period, some(scene, true, true, true)) { } catch { }
        vm.warp(endOf(period) + 4 hours - 1);
        if (scene.plot <= Plot.CommittedAndSilent) return;
        try findings.submit(address(market), orderId, period, some(scene, true, false, true)) { } catch { }
    }

    /// @dev A voter proves its own lie, so that its finding is dropped: by what it signed, as if it had been asked.
    function sacrifice(Scene memory scene) private {
        if (scene.plot != Plot.Sacrificed) return;
        for (uint8 epoch = 0; epoch < 96; ++epoch) {
            if ((scene.truth >> epoch) & 1 == 0) continue;
            monitors.proveContradiction(address(market), orderId, period, scene.votes[0], epoch, acknowledge(accounts[0], orderId, epoch));
            return;
        }
    }

    /// @notice The votes of those who collude, or of the others: of all, or only of those who were drawn; with `isOther` inverted for
    /// witnesses, who were not.
    function some(Scene memory scene, bool collude, bool byDraw, bool isOther) private pure returns (IMonitors.Vote[] memory votes) {
        votes = new IMonitors.Vote[](MONITORS);
        uint256 count;
        for (uint256 i = 0; i < MONITORS; ++i) {
            if ((i < scene.colluders) != collude) continue;
            bool isDrawn;
            for (uint256 j = 0; j < scene.drawn.length; ++j) {
                if (scene.drawn[j] == scene.votes[i].monitor) isDrawn = true;
            }
            if (byDraw && isDrawn == isOther) continue;
            votes[count++] = scene.votes[i];
        }
        assembly ("memory-safe") {
            mstore(votes, count)
        }
        sort(votes);
    }
}
