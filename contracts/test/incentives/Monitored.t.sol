// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { Findings } from "../../src/Findings.sol";
import { Monitors } from "../../src/Monitors.sol";
import { IFindings } from "../../src/interfaces/IFindings.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IMonitors } from "../../src/interfaces/IMonitors.sol";
import { Accrual } from "../../src/libraries/Accrual.sol";
import { LOST_AFTER } from "../../src/types/Constants.sol";
import { MonitorsBase } from "../monitors/MonitorsBase.sol";

/// @notice A market whose validator is the real one, through periods in which the node is away now and then, two monitors of five lie, all
/// are silent, one is replaced by another, or both contracts are. The truth is kept outside of them.
contract MonitoredTest is MonitorsBase {
    uint256 private constant PERIODS = 12;
    uint256 private constant RATE = 420e18;

    mapping(uint64 period => uint96) private away;
    uint256 private activated;
    /// @dev Of the truth, what monitors could tell: seconds in all, up to when, and how many at its end without interruption.
    uint256 private told;
    uint256 private toldUntil;
    uint256 private absence;
    uint256 private twice;
    uint256 private rotations;
    /// @dev Announced maintenance that was not withdrawn, by period and in all, and the seconds of it that were told.
    mapping(uint64 period => uint96) private planned;
    uint256 private plannedEpochs;
    uint256 private excused;

    function setUp() public override {
        super.setUp();
        drawFor(period + 1);
        activated = market.getOrder(orderId).activateTime;
        toldUntil = activated;
    }

    /// forge-config: default.fuzz.runs = 24
    /// forge-config: deep.fuzz.runs = 2000
    function testFuzz_OnlyWhatMonitorsTellIsTaken(uint256 seed) public {
        uint256 replaced = bound(seed, 0, 2 * PERIODS);
        for (uint256 i = 0; i < PERIODS; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            away[period] = truth(seed >> 8);
            if (i == replaced) replaceContracts();
            else if (seed % 5 == 0) rotate((seed >> 64) % 5);
            if (seed % 3 != 2) plan(seed >> 96);
            live(seed);
            ++period;
            requireNotClosedUnlessAway();
            if (absence >= LOST_AFTER && seed % 2 == 0) break;
        }
        if (absence >= LOST_AFTER) closeAsDropped(seed);
        else if (seed % 3 == 0) drop();
        else cancel();
        assertEq(market.escrow(), 0);
        assertEq(pledge.getPledge(provider).locked, 0);
    }

    /// @dev Nothing, a part, or all of a period; rather all if the one before was, so that whole days come together.
    function truth(uint256 seed) private view returns (uint96) {
        uint256 pick = seed % 10;
        if (away[period - 1] == ALL ? pick < 7 : pick == 0) return ALL;
        if (pick < 6) return 0;
        uint256 first = (seed >> 8) % 96;
        // At most 96 epochs from the first one on.
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint96((2 ** (1 + (seed >> 16) % (96 - first)) - 1) << first);
    }

    /// @dev Announces maintenance of a later period that has none, whoever was told of the rest, or withdraws what is announced there.
    function plan(uint256 seed) private {
        // forge-lint: disable-next-line(unsafe-typecast)
        uint64 later = period + 4 + uint64(seed % 4);
        uint96 before = planned[later];
        uint256 epochs = before == 0 ? 1 + (seed >> 8) % 60 : LibBit.popCount(before);
        uint256 first = before == 0 ? (seed >> 16) % (97 - epochs) : LibBit.ffs(before);
        uint64[] memory nodes = new uint64[](1);
        (nodes[0], first) = (nodeId, uint256(later) * 96 + first);
        bool fits = before != 0 || plannedEpochs + epochs <= 96;
        if (!fits) vm.expectPartialRevert(IFindings.TooMuchMaintenance.selector);
        vm.prank(provider);
        // Both are small.
        // forge-lint: disable-start(unsafe-typecast)
        if (before == 0) findings.announceMaintenance(nodes, uint64(first), uint16(epochs));
        else findings.withdrawMaintenance(nodes, uint64(first), uint16(epochs));
        if (!fits) return;
        planned[later] = before == 0 ? uint96((2 ** epochs - 1) << (first % 96)) : 0;
        // forge-lint: disable-end(unsafe-typecast)
        plannedEpochs = before == 0 ? plannedEpochs + epochs : plannedEpochs - epochs;
    }

    /// @dev A period, its reports unless all are silent, and whatever follows from them.
    function live(uint256 seed) private {
        vm.warp(endOf(period));
        (address[] memory drawn,) = monitors.drawOf(provider, nodeId, period);
        if (seed % 6 != 5) {
            IMonitors.Vote[] memory votes = tell(drawn, drawn.length == 5 && seed % 3 == 0 ? 2 : 0);
            if (drawn.length >= 2 && away[period] != 0) {
                submit(votes);
                vm.warp(endOf(period) + 6 hours);
                credit_();
            }
        }
        vm.warp(endOf(period) + 6 hours);
        if (toldUntil != endOf(period)) absence = 0;
        if (seed % 4 == 0) market.proSettle(orderId);
    }

    /// @dev All commit and reveal, so that two periods later somebody is drawn; of those drawn for this one, some say the opposite.
    function tell(address[] memory drawn, uint256 liars) private returns (IMonitors.Vote[] memory votes) {
        bytes32[] memory siblings = new bytes32[](1);
        siblings[0] = keccak256("another order");
        bytes32[] memory roots = new bytes32[](accounts.length);
        votes = new IMonitors.Vote[](drawn.length);
        uint256 count = 0;
        for (uint256 i = 0; i < accounts.length; ++i) {
            IMonitors.Report memory seen = IMonitors.Report({ observed: ALL, down: count < liars ? ~away[period] : away[period] });
            roots[i] = rootOf(orderId, leafOf(orderId, period, seen), siblings);
            if (isIn(drawn, accounts[i])) votes[count++] = IMonitors.Vote({ monitor: accounts[i], report: seen, proof: siblings });
            commitAs(accounts[i], period, roots[i]);
        }
        vm.roll(block.number + 5);
        monitors.draw(period + 2);
        vm.warp(endOf(period) + 1 hours);
        for (uint256 i = 0; i < accounts.length; ++i) {
            revealAs(accounts[i], period, roots[i]);
        }
        vm.warp(endOf(period) + 2 hours);
        sort(votes);
    }

    function credit_() private {
        findings.credit(address(market), orderId, period);
        // What the report before made known is final by now.
        twice = Accrual.twice(twice, told, excused, toldUntil - activated, 24 hours);
        excused += LibBit.popCount(away[period] & planned[period]) * EPOCH;
        absence = away[period] == ALL && toldUntil == endOf(period - 1) ? absence + PERIOD : 0;
        told += LibBit.popCount(away[period]) * EPOCH;
        toldUntil = endOf(period);
        IMarket.Order memory order = market.getOrder(orderId);
        assertEq(order.down, told, "downtime that was not, or not all that was");
        assertEq(order.reportedUntil, toldUntil);
        assertEq(order.creditedTwice, twice, "what is paid once more");
        assertEq(market.maintenanceOf(orderId), excused, "what was announced is excused once");
    }

    function rotate(uint256 which) private {
        vm.prank(accounts[which]);
        monitors.resign();
        accounts[which] = joinAs(string.concat("later", vm.toString(++rotations)));
        accounts.pop();
    }

    function replaceContracts() private {
        monitors = new Monitors(access, address(credit), EPOCH, PERIOD / EPOCH);
        findings = new Findings(monitors, validator, findings);
        ask(address(findings));
        for (uint256 i = 0; i < 5; ++i) {
            accounts[i] = joinAs(string.concat("other", vm.toString(i)));
            accounts.pop();
        }
    }

    function requireNotClosedUnlessAway() private {
        if (absence >= LOST_AFTER) return;
        vm.expectPartialRevert(IMarket.NotDownForADay.selector);
        vm.prank(stranger);
        market.closeForDowntime(orderId);
    }

    function closeAsDropped(uint256 seed) private {
        if (seed % 3 == 0) {
            market.closeForDowntime(orderId);
        } else {
            vm.prank(seed % 3 == 1 ? user : provider);
            if (seed % 3 == 1) market.userCancel(orderId);
            else market.providerCancel(orderId);
        }
        requirePaid(toldUntil - absence, told - absence, 14 * USD);
    }

    function drop() private {
        uint256 now_ = block.timestamp;
        vm.prank(provider);
        market.providerCancel(orderId);
        settle();
        requirePaid(now_, told, 14 * USD);
    }

    function cancel() private {
        uint256 now_ = block.timestamp;
        vm.prank(user);
        market.userCancel(orderId);
        settle();
        twice = Accrual.twice(twice, told, excused, toldUntil - activated, 24 hours);
        requirePaid(now_, told, Accrual.accrued(RATE, twice));
    }

    function settle() private {
        pass(24 hours);
        if (market.getOrder(orderId).pendingUntil != 0) market.proSettle(orderId);
    }

    /// @dev Every second up to `until` but those that it was away for, and what the pledge paid.
    function requirePaid(uint256 until, uint256 down, uint256 lost) private view {
        assertEq(market.earned(provider), Accrual.accrued(RATE, until - activated - down), "served and paid");
        assertEq(1000 * USD - pledge.pledgeOf(provider), lost, "out of the pledge");
    }

    function isIn(address[] memory list, address account) private pure returns (bool) {
        for (uint256 i = 0; i < list.length; ++i) {
            if (list[i] == account) return true;
        }
        return false;
    }
}
