// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { MAX_RATE, MONTH } from "../../src/types/Constants.sol";
import { Base } from "../Base.t.sol";
import { VectorFile } from "../fixtures/VectorFile.sol";
import { PaymentOracle } from "./PaymentOracle.sol";

/// @notice Every way an order can end, at any price and after any time, pays exactly what the second oracle says, to the wei.
contract PaymentsTest is Base, VectorFile {
    uint256 private constant GWEI_OF_RATES = (uint256(MAX_RATE) - 1) / 1e9;
    uint256 private constant MONTHS = 120;
    uint256 private constant ALL_MONEY = 1 << 110;

    uint64 internal id;
    PaymentOracle.Facts internal facts;
    uint256 internal buyerBefore;
    uint256 internal pledgeBefore;

    function testFuzz_EveryEndingPaysWhatTheOracleSays(uint8 ending, uint256 rate, uint256 months, uint256 time, uint256 away, uint256 seed)
        public
    {
        PaymentOracle.Ending wanted = PaymentOracle.Ending(ending % (uint8(type(PaymentOracle.Ending).max) + 1));
        // Small and large rates with the same probability.
        rate = bound(rate, 1, GWEI_OF_RATES >> (seed % 56));
        start(wanted, rate * 1e9, bound(months, 1, MONTHS), uint16(bound(seed >> 16, 0, 1000)));
        live(time, away, seed);
        requireWhatTheOracleSays();
    }

    function test_TheHighestRateFor120Months() public {
        for (uint8 ending = 0; ending <= uint8(type(PaymentOracle.Ending).max); ++ending) {
            uint256 snapshot = vm.snapshotState();
            start(PaymentOracle.Ending(ending), GWEI_OF_RATES * 1e9, MONTHS, 1000);
            live(type(uint256).max, type(uint256).max, type(uint256).max);
            requireWhatTheOracleSays();
            vm.revertToState(snapshot);
        }
    }

    function test_TheLowestRateForAMonth() public {
        for (uint8 ending = 0; ending <= uint8(type(PaymentOracle.Ending).max); ++ending) {
            uint256 snapshot = vm.snapshotState();
            start(PaymentOracle.Ending(ending), 1e9, 1, 1);
            live(1, 1, 1);
            requireWhatTheOracleSays();
            vm.revertToState(snapshot);
        }
    }

    /// @notice What packages/rules predicts for the same orders.
    function test_EveryEndingPaysWhatTheSharedVectorsSay() public {
        uint256 count = load("endings");
        for (uint256 i = 0; i < count; ++i) {
            uint256 snapshot = vm.snapshotState();
            // 1,000 at most
            // forge-lint: disable-next-line(unsafe-typecast)
            start(endingOf(i), number(i, "rate"), number(i, "paid") / MONTH, uint16(number(i, "commissionBps")));
            live(number(i, "held"), number(i, "away"), i);
            requireWhatTheOracleSays();

            assertEq(facts.held, number(i, "held"), "held");
            assertEq(facts.away, number(i, "away"), "away");
            assertEq(PaymentOracle.value(facts.rate, facts.paid), number(i, "priceWei"), "price");
            PaymentOracle.Shares memory s = PaymentOracle.shares(facts);
            assertEq(s.provider, number(i, "toProvider"), "to the provider");
            assertEq(s.treasury, number(i, "commission"), "commission");
            assertEq(s.buyerOfEscrow, number(i, "backFromEscrow"), "back from escrow");
            assertEq(s.buyerOfPledge, number(i, "forDropping") + number(i, "forDowntime"), "out of the pledge");
            vm.revertToStateAndDelete(snapshot);
        }
    }

    function start(PaymentOracle.Ending ending, uint256 rate, uint256 months, uint16 commissionBps) private {
        (facts.ending, facts.rate, facts.paid, facts.commissionBps) = (ending, rate, months * MONTH, commissionBps);
        vm.prank(owner);
        market.setCommissionBps(commissionBps);
        fund(user, ALL_MONEY);
        fund(provider, ALL_MONEY);
        registerProvider(provider);
        IRegistry.NodeInput memory node = nodeInput();
        (node.nGPU, node.nMEM, node.nDISK) = (0, 0, 0);
        (node.nCPU, node.pCPU) = (1, rate);
        vm.prank(provider);
        uint64 nodeId = registry.add_node(node);
        pledgeFor(provider, ALL_MONEY >> 16);
        (buyerBefore, pledgeBefore) = (credit.balanceOf(user), pledge.pledgeOf(provider));
        // 120 months at most
        // forge-lint: disable-next-line(unsafe-typecast)
        id = buy(nodeId, uint32(months * MONTH));
    }

    function live(uint256 time, uint256 away, uint256 seed) private {
        PaymentOracle.Ending ending = facts.ending;
        if (ending == PaymentOracle.Ending.StartMissed) pass(bound(time, 24 hours, 1000 days));
        else if (ending < PaymentOracle.Ending.LeftInProbation) pass(bound(time, 0, 24 hours - 1));
        else runAndSettle(time, away, seed);

        if (ending == PaymentOracle.Ending.StartMissed) {
            market.release(id);
        } else if (ending == PaymentOracle.Ending.WentAway) {
            goAway();
        } else if (ending == PaymentOracle.Ending.RanOut) {
            pass(facts.paid - facts.held + 24 hours);
            market.proSettle(id);
        } else if (isDrop(ending)) {
            vm.prank(provider);
            market.providerCancel(id);
            afterTheDrop(time, away);
        } else if (ending == PaymentOracle.Ending.LeftSilent) {
            cancelAndWait(id);
        } else {
            vm.prank(user);
            market.userCancel(id);
        }
    }

    /// @dev The times of settlements must not matter; the report is the last call before the ending.
    function runAndSettle(uint256 time, uint256 away, uint256 seed) private {
        bool probation = facts.ending < PaymentOracle.Ending.Left;
        activate(id);
        facts.held = probation ? bound(time, 0, 10 minutes - 1) : bound(time, 10 minutes, facts.paid - 4 days);
        if (probation) return pass(facts.held);

        uint256 settles = seed % 4;
        uint256 passed = 10 minutes;
        pass(passed);
        for (uint256 i = 0; i < settles; ++i) {
            uint256 next = bound(uint256(keccak256(abi.encode(seed, i))), passed, facts.held);
            pass(next - passed);
            passed = next;
            market.proSettle(id);
        }
        pass(facts.held - passed);
        if (facts.ending == PaymentOracle.Ending.Left || facts.ending == PaymentOracle.Ending.Dropped) reportAbsence(away);
    }

    /// @dev Time not covered by a report waits for one, for at most a day.
    function afterTheDrop(uint256 time, uint256 away) private {
        if (facts.ending == PaymentOracle.Ending.DroppedSilent) {
            pass(24 hours);
            if (market.getOrder(id).pendingUntil != 0) market.proSettle(id);
        } else if (facts.ending == PaymentOracle.Ending.DroppedUnreported) {
            pass(bound(time, 1, 24 hours - 1));
            reportAbsence(away);
        }
    }

    function reportAbsence(uint256 away) private {
        // Less than a day: a whole day would be an absence that ends the order.
        facts.away = bound(away, 0, facts.held < 24 hours ? facts.held : 24 hours - 1);
        // a day at most
        // forge-lint: disable-next-line(unsafe-typecast)
        report(id, uint32(facts.away));
    }

    function goAway() private {
        report(id, 0);
        for (uint32 away = 8 hours; away <= 24 hours; away += 8 hours) {
            pass(8 hours);
            report(id, away);
        }
        vm.prank(stranger);
        market.closeForDowntime(id);
    }

    function requireWhatTheOracleSays() private {
        PaymentOracle.Shares memory s = PaymentOracle.shares(facts);
        assertEq(market.earned(provider), s.provider, "the provider's");
        assertEq(market.commission(), s.treasury, "the treasury's");
        uint256 price = PaymentOracle.value(facts.rate, facts.paid);
        assertEq(credit.balanceOf(user), buyerBefore - price + s.buyerOfEscrow + s.buyerOfPledge, "the buyer's");
        assertEq(pledge.pledgeOf(provider), pledgeBefore - s.buyerOfPledge, "the pledge");
        assertEq(pledge.freeOf(provider), pledge.pledgeOf(provider), "nothing stays locked");
        assertEq(market.escrow(), 0, "nothing stays in escrow");
        if (s.provider != 0) {
            vm.prank(provider);
            market.proWithdraw();
        }
        if (s.treasury != 0) {
            vm.prank(treasury);
            market.takeCommission();
        }
        assertEq(credit.balanceOf(address(market)), 0, "nothing stays in the Market");
    }

    function endingOf(uint256 i) private view returns (PaymentOracle.Ending) {
        string[12] memory names = [
            "LeftBeforeStart",
            "DroppedBeforeStart",
            "StartMissed",
            "LeftInProbation",
            "DroppedInProbation",
            "Left",
            "LeftSilent",
            "Dropped",
            "DroppedSilent",
            "DroppedUnreported",
            "WentAway",
            "RanOut"
        ];
        bytes32 name = keccak256(bytes(vm.parseJsonString(json, path(i, "ending"))));
        for (uint8 ending = 0; ending < names.length; ++ending) {
            if (keccak256(bytes(names[ending])) == name) return PaymentOracle.Ending(ending);
        }
        revert("the oracle knows no such ending");
    }

    function isDrop(PaymentOracle.Ending ending) private pure returns (bool) {
        return ending == PaymentOracle.Ending.DroppedBeforeStart || ending == PaymentOracle.Ending.DroppedInProbation
            || (ending >= PaymentOracle.Ending.Dropped && ending <= PaymentOracle.Ending.DroppedUnreported);
    }
}
