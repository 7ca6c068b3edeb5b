// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";
import { SignatureWallet } from "../../fixtures/SignatureWallet.sol";

contract MarketCloseForDowntimeTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.closeForDowntime(7);
    }

    function test_WhenTheOrderIsNotActive_ItRevertsWithWrongStatus() public {
        vm.prank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.closeForDowntime(id);
    }

    function test_WhenNothingWasReported_ItRevertsWithNotDownForADay() public {
        pass(10 days);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotDownForADay.selector, id, 0, 0));
        market.closeForDowntime(id);
    }

    function test_WhenItWasAwayASecondLessThanADay_ItRevertsWithNotDownForADay() public {
        pass(10 days);
        report(id, 0);
        pass(1 days - 1);
        report(id, 1 days - 1);
        uint40 since = GENESIS + 10 days;
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotDownForADay.selector, id, since, since + 1 days - 1));
        market.closeForDowntime(id);
    }

    function test_WhenItCameBackForASecond_ItRevertsWithNotDownForADay() public {
        beAway(16 hours);
        pass(8 hours);
        report(id, 24 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotDownForADay.selector, id, 0, vm.getBlockTimestamp()));
        market.closeForDowntime(id);
    }

    function test_WhenItWasAwayForADay_ItClosesAsIfTheProviderHadCancelledInTheFirstSecondOfIt() public {
        uint256 before = credit.balanceOf(user);
        beAway(24 hours);
        pass(5 hours);
        uint256 paidBefore = 1000 * USD - pledge.pledgeOf(provider);
        uint256 forDowntime = uint256(24 hours - 11 days / 200) * 420 * USD / MONTH;
        vm.expectEmit(address(market));
        emit IMarket.OrderClosed(id, OrderStatus.ProviderCancelled, GENESIS + 10 days, 280 * USD);
        vm.expectEmit(address(market));
        emit IMarket.BuyerCompensated(id, 14 * USD - forDowntime);
        vm.expectEmit(address(market));
        emit IMarket.DowntimeCompensated(id, 24 hours - 11 days / 200, forDowntime - paidBefore);
        vm.prank(stranger);
        market.closeForDowntime(id);
        assertEq(market.earned(provider), 140 * USD, "the ten days that it served");
        assertEq(credit.balanceOf(user) - before, 294 * USD);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
        assertEq(pledge.getPledge(provider).locked, 0);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenAReportOfTheNextHoursWouldBeIn_ItRevertsWithNotDownForADay() public {
        beAway(24 hours);
        uint40 until = uint40(vm.getBlockTimestamp());
        pass(14 hours);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotDownForADay.selector, id, until - 24 hours, until));
        market.closeForDowntime(id);
    }

    function test_WhenTheNextReportSaysThatItIsStillAway_ItClosesAsLongAsThatIsFresh() public {
        beAway(32 hours);
        pass(14 hours - 1);
        market.closeForDowntime(id);
        assertEq(market.earned(provider), 140 * USD);
    }

    function test_WhenItWasAwayFromItsFirstSecondOn_ItPaysTheProviderNothing() public {
        pass(1 hours);
        report(id, 1 hours);
        pass(23 hours);
        report(id, 24 hours);
        market.closeForDowntime(id);
        assertEq(market.earned(provider), 0);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
    }

    function test_WhenItWasDownBeforeToo_ItPaysForWhatWasServed() public {
        pass(9 days);
        report(id, 6 hours);
        pass(1 days);
        report(id, 6 hours);
        pass(1 days);
        report(id, 30 hours);
        market.closeForDowntime(id);
        assertEq(market.earned(provider), 420 * USD * uint256(10 days - 6 hours) / MONTH);
    }

    function test_WhenItWasAwayOverTheEnd_ItStillClosesUntilAllIsFinal() public {
        beAwayForTheLastDay();
        pass(12 hours);
        report(id, 24 hours);
        assertEq(market.getOrder(id).reportedUntil, GENESIS + MONTH);
        market.closeForDowntime(id);
        assertEq(market.earned(provider), 406 * USD);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
    }

    function test_WhenAllIsFinalAndNobodyClosedIt_TheSettlementDoes() public {
        beAwayForTheLastDay();
        pass(24 hours);
        market.proSettle(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(market.earned(provider), 406 * USD);
        assertEq(pledge.pledgeOf(provider), 986 * USD);
    }

    function test_WhenTheValidatorIsAContract_ItClosesByTheReportsOfTheContract() public {
        SignatureWallet monitors = new SignatureWallet(validator);
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, address(monitors));
        beAway(24 hours);
        market.closeForDowntime(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.ProviderCancelled));
    }

    function beAwayForTheLastDay() internal {
        pass(MONTH - 24 hours);
        report(id, 0);
        for (uint32 away = 8 hours; away <= 24 hours; away += 8 hours) {
            pass(8 hours);
            report(id, away);
        }
    }

    /// @notice Ten days of service, then away for `time`, with a report every eight hours.
    function beAway(uint32 time) internal {
        pass(10 days);
        report(id, 0);
        for (uint32 away = 8 hours; away <= time; away += 8 hours) {
            pass(8 hours);
            report(id, away);
        }
    }
}
