// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { Base } from "../../Base.t.sol";
import { SignatureWallet } from "../../fixtures/SignatureWallet.sol";

contract MarketCreditDowntimeTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.creditDowntime(7, 1, 1, "");
    }

    function test_WhenTheOrderIsNotActive_ItRevertsWithWrongStatus() public {
        vm.prank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.creditDowntime(id, 1, 1, "");
    }

    function test_WhenTheStatementIsAboutTheFuture_ItRevertsWithStatementInFuture() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.StatementInFuture.selector, GENESIS + 1));
        market.creditDowntime(id, 1, GENESIS + 1, "");
    }

    function test_WhenItIsNotSignedByTheValidator_ItRevertsWithBadSignature() public {
        bytes memory sig = signFor(market, userKey, bytes32(0));
        vm.expectRevert(IMarket.BadSignature.selector);
        market.creditDowntime(id, 1, GENESIS, sig);
    }

    function test_WhenTheStatementIsForAnotherMarket_ItRevertsWithBadSignature() public {
        bytes32 typeHash = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
        IMarketWithLens other = newMarket(1000);
        bytes memory sig = signFor(other, validatorKey, keccak256(abi.encode(typeHash, id, uint32(1), GENESIS)));
        vm.expectRevert(IMarket.BadSignature.selector);
        market.creditDowntime(id, 1, GENESIS, sig);
    }

    function test_WhenItIsGood_ItSettlesWhatIsFinalAndTakesTheDowntimeOffTheRest() public {
        pass(10 days);
        vm.expectEmit(address(market));
        emit IMarket.OrderSettled(id, GENESIS + 9 days, 126 * USD, 0);
        vm.expectEmit(address(market));
        emit IMarket.DowntimeCredited(id, 7200, GENESIS + 10 days, 0);
        vm.prank(stranger);
        market.creditDowntime(id, 7200, GENESIS + 10 days, signDowntime(id, 7200, GENESIS + 10 days));
        IMarket.Order memory o = market.getOrder(id);
        assertEq(o.down, 7200);
        assertEq(o.remuneration, 126 * USD);
    }

    function test_WhenItSaysNoMoreOfTheSameTimeOrSpeaksOfAnEarlierOne_ItChangesNothing() public {
        pass(10 days);
        market.creditDowntime(id, 7200, GENESIS + 10 days, signDowntime(id, 7200, GENESIS + 10 days));
        vm.recordLogs();
        market.creditDowntime(id, 3600, GENESIS + 10 days, signDowntime(id, 3600, GENESIS + 10 days));
        market.creditDowntime(id, 9000, GENESIS + 10 days - 1, signDowntime(id, 9000, GENESIS + 10 days - 1));
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenItSaysMoreOfTheSameTime_ItCounts() public {
        pass(10 days);
        report(id, 7200);
        report(id, 9000);
        assertEq(market.getOrder(id).down, 9000);
        assertEq(market.getOrder(id).downSince, 0);
    }

    function test_WhenALaterOneSaysLessWithinEightHours_ItCorrectsIt() public {
        pass(10 days);
        report(id, 7200);
        pass(8 hours - 1);
        report(id, 600);
        assertEq(market.getOrder(id).down, 600);
    }

    function test_WhenALaterOneSaysLessAfterEightHours_ItKeepsWhatWasCredited() public {
        pass(10 days);
        report(id, 7200);
        pass(8 hours);
        report(id, 600);
        assertEq(market.getOrder(id).down, 7200);
    }

    function test_WhenTheNodeIsDownFromReportToReport_ItSaysSinceWhen() public {
        pass(10 days);
        report(id, 1 hours);
        assertEq(market.getOrder(id).downSince, 0);
        pass(8 hours);
        vm.expectEmit(address(market));
        emit IMarket.DowntimeCredited(id, 9 hours, GENESIS + 10 days + 8 hours, GENESIS + 10 days);
        report(id, 9 hours);
        pass(8 hours);
        report(id, 17 hours);
        assertEq(market.getOrder(id).downSince, GENESIS + 10 days);
        pass(8 hours);
        report(id, 25 hours - 1);
        assertEq(market.getOrder(id).downSince, 0, "it was up for a second");
    }

    function test_WhenSecondsWerePaidBefore_TheAbsenceBeginsAfterThem() public {
        pass(10 days);
        report(id, 10 days);
        assertEq(market.getOrder(id).down, 1 days);
        assertEq(market.getOrder(id).downSince, GENESIS + 9 days);
    }

    function test_WhenThePaymentOfACancelIsPending_ItLowersThePayment() public {
        pass(10 days);
        report(id, 7200);
        pass(1 hours);
        vm.prank(user);
        market.userCancel(id);
        uint40 cancelled = uint40(vm.getBlockTimestamp());
        uint256 held = market.getOrder(id).remain;
        uint256 earned = market.earned(provider);
        pass(1 hours);
        market.creditDowntime(id, 0, cancelled - 1, signDowntime(id, 0, cancelled - 1));
        assertEq(market.getOrder(id).down, 7200, "no report pays more than was set aside");
        report(id, 9000);
        assertEq(market.getOrder(id).down, 9000);
        assertEq(market.getOrder(id).reportedUntil, cancelled, "nothing counts after the cancel");
        assertEq(market.earned(provider) - earned, held - 420 * USD * uint256(1800) / MONTH);
    }

    function test_WhenItIsReplayed_ItChangesNothing() public {
        pass(10 days);
        bytes memory sig = signDowntime(id, 7200, GENESIS + 10 days);
        market.creditDowntime(id, 7200, GENESIS + 10 days, sig);
        pass(1 hours);
        market.creditDowntime(id, 7200, GENESIS + 10 days, sig);
        assertEq(market.getOrder(id).down, 7200);
    }

    function test_WhenItClaimsMoreThanTheWindow_ItReachesTheWindowAndNoFurther() public {
        pass(10 days + 1);
        market.creditDowntime(id, 9 days, GENESIS + 10 days + 1, signDowntime(id, 9 days, GENESIS + 10 days + 1));
        assertEq(market.getOrder(id).down, 1 days, "a second that is paid in part is paid");
    }

    function test_WhenItClaimsMoreThanAllTheTime_ItCountsThatTime() public {
        pass(12 hours);
        uint40 asOf = GENESIS + 12 hours;
        vm.expectEmit(address(market));
        emit IMarket.DowntimeCredited(id, 12 hours, asOf, GENESIS);
        market.creditDowntime(id, 13 hours, asOf, signDowntime(id, 13 hours, asOf));
        assertEq(market.getOrder(id).down, 12 hours);
    }

    function test_WhenMoreThanItsTimeAllowsIsFinal_ItIsPaidOnceMoreOutOfThePledge() public {
        uint64 order = later(10 days);
        report(order, 5 hours);
        pass(8 hours);
        uint256 before = credit.balanceOf(user);
        uint32 twice = 5 hours - 10 days / 200;
        uint256 owed = 420 * USD * uint256(twice) / MONTH;
        assertEq(credit.balanceOf(user), before, "a report that can be corrected pays nothing");
        uint40 asOf = uint40(vm.getBlockTimestamp());
        bytes memory sig = signDowntime(order, 5 hours, asOf);
        vm.expectEmit(address(market));
        emit IMarket.DowntimeCompensated(order, twice, owed);
        market.creditDowntime(order, 5 hours, asOf, sig);
        assertEq(credit.balanceOf(user) - before, owed);
        assertEq(pledge.pledgeOf(provider), 1000 * USD - owed);
        assertEq(pledge.getPledge(provider).locked, 14 * USD - owed, "what is left is still promised");
        assertEq(market.getOrder(order).creditedTwice, twice);
        pass(8 hours);
        report(order, 5 hours);
        assertEq(credit.balanceOf(user) - before, owed, "once");
    }

    function test_WhenMoreTimeHasPassed_ItAllowsMore() public {
        uint64 order = later(10 days);
        report(order, 1 hours + 12 minutes);
        pass(10 days);
        report(order, 2 hours + 24 minutes);
        pass(8 hours);
        report(order, 2 hours + 24 minutes + 1);
        assertEq(market.getOrder(order).creditedTwice, 0, "half a percent");
        pass(8 hours);
        report(order, 3 hours);
        assertEq(market.getOrder(order).creditedTwice, 0, "of what is final as of the newest report before");
        pass(8 hours);
        report(order, 3 hours);
        assertEq(market.getOrder(order).creditedTwice, 3 hours - (20 days + 16 hours) / 200);
    }

    function test_WhenAllThatIsLockedIsPaid_ItPaysNoMore() public {
        uint64 order = later(10 days);
        for (uint32 i = 1; i <= 9; ++i) {
            pass(8 hours);
            report(order, i * 8 hours - 60);
        }
        assertEq(market.getOrder(order).creditedTwice, 24 hours);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
        assertEq(pledge.getPledge(provider).locked, 0);
        (,,, uint256 compensation,) = market.quoteCancel(order, true);
        assertEq(compensation, 0);
        vm.prank(provider);
        market.providerCancel(order);
        assertEq(pledge.pledgeOf(provider), 986 * USD, "never more than was promised");
    }

    function test_WhenTheOrderEnds_WhatWasNotFinalYetIsPaidToo() public {
        uint64 order = later(10 days);
        pass(5 hours);
        report(order, 5 hours);
        (,,, uint256 compensation,) = market.quoteCancel(order, false);
        assertEq(compensation, 420 * USD * uint256(5 hours - (10 days + 5 hours) / 200) / MONTH);
        vm.prank(user);
        market.userCancel(order);
        assertEq(pledge.pledgeOf(provider), 1000 * USD - compensation);
        assertEq(pledge.getPledge(provider).locked, 0);
    }

    function test_WhenItSpeaksOfATimeBeforeActivation_ItChangesNothing() public {
        pass(2 hours);
        market.creditDowntime(id, 3600, GENESIS - 1, signDowntime(id, 3600, GENESIS - 1));
        assertEq(market.getOrder(id).down, 0);
    }

    function test_WhenItLiesAheadOfWhatIsSettled_ItLeavesLaterSettlementsAtNothingInsteadOfFailing() public {
        pass(30 hours);
        market.creditDowntime(id, 1 days, GENESIS + 30 hours, signDowntime(id, 1 days, GENESIS + 30 hours));
        uint256 paid = market.getOrder(id).remuneration;
        market.proSettle(id);
        pass(12 hours);
        market.proSettle(id);
        assertEq(market.getOrder(id).remuneration, paid);
        pass(20 hours);
        market.proSettle(id);
        assertGt(market.getOrder(id).remuneration, paid);
    }

    function test_WhenAllHasBecomeFinalMeanwhile_ItCompletesTheOrderAndCreditsNothing() public {
        pass(MONTH + 1 days);
        market.creditDowntime(id, 1 days, GENESIS + MONTH, signDowntime(id, 1 days, GENESIS + MONTH));
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.Completed));
        assertEq(o.down, 0);
        assertEq(o.remuneration, 420 * USD);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenInProbation_ItTakesTheDowntimeOffWhatACancelPays() public {
        pass(9 minutes);
        market.creditDowntime(id, 300, GENESIS + 9 minutes, signDowntime(id, 300, GENESIS + 9 minutes));
        assertEq(market.getOrder(id).down, 300);
        vm.prank(user);
        market.userCancel(id);
        assertEq(market.earned(provider), 420 * USD * uint256(9 minutes - 300) / MONTH);
    }

    function test_WhenTheValidatorIsAContract_ItAsksTheContract() public {
        SignatureWallet wallet = new SignatureWallet(validator);
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, address(wallet));
        pass(10 days);
        market.creditDowntime(id, 7200, GENESIS + 10 days, signDowntime(id, 7200, GENESIS + 10 days));
        assertEq(market.getOrder(id).down, 7200);
    }

    function test_WhenItSpeaksOfTimeAfterTheEnd_ItReachesNoFurtherThanTheEnd() public {
        pass(uint256(MONTH) + 12 hours);
        uint40 asOf = uint40(vm.getBlockTimestamp());
        market.creditDowntime(id, 20 hours, asOf, signDowntime(id, 20 hours, asOf));
        assertEq(market.getOrder(id).down, 12 hours);
    }

    /// @notice An order that has been running for `time`, according to the reports.
    function later(uint256 time) internal returns (uint64) {
        pass(time);
        report(id, 0);
        return id;
    }
}
