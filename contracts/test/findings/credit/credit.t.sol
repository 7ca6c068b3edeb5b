// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";
import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsCreditTest is MonitorsBase {
    function test_WhenTheFindingIsNotFinal_ItRevertsWithNotFinal() public {
        submit(report(three(1, 1, 1)));
        uint40 finalAt = uint40(block.timestamp + 4 hours);
        vm.expectRevert(abi.encodeWithSelector(IFindings.NotFinal.selector, finalAt));
        findings.credit(address(market), orderId, period);
    }

    function test_WhenTheFindingIsFinal_ItIsTakenOutOfWhatTheOrderPays() public {
        submit(report(three(ALL, ALL, ALL)));
        pass(4 hours);
        vm.prank(stranger);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 8 hours);
    }

    function test_WhenAFindingIsCreditedAfterAnother_ItPaysForBoth() public {
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        period += 1;
        submit(report(three(6, 6, 6)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 900);
    }

    /// @notice The longest delay of a report: its order is cancelled in the first epochs of eight hours, and it is final six hours after
    /// them.
    function test_WhenTheBuyerCancelledAtTheBeginningOfThePeriod_WhatWasDownStillComesBack() public {
        vm.warp(endOf(period - 1) + 2 * EPOCH);
        uint256 cancelled = block.timestamp;
        vm.prank(user);
        market.userCancel(orderId);
        uint256 paid = credit.balanceOf(user);
        uint256 pending = market.getOrder(orderId).remain;
        submit(report(three(3, 3, 3), 3));
        pass(4 hours);
        assertGt(block.timestamp, cancelled + 13 hours);
        // A settlement for the provider before that comes too early.
        market.proSettle(orderId);
        findings.credit(address(market), orderId, period);
        IMarket.Order memory order = market.getOrder(orderId);
        assertEq(order.down, 2 * EPOCH);
        assertEq(order.remain, 0);
        uint256 back = credit.balanceOf(user) - paid;
        uint256 held = cancelled - order.activateTime;
        assertEq(back, 420 * USD * held / MONTH - 420 * USD * (held - 2 * EPOCH) / MONTH);
        assertEq(market.earned(provider) + back, pending);
    }
}

contract FindingsCreditMaintenanceTest is MaintenanceBase {
    function test_WhenTheDowntimeWasAnnouncedAsMaintenance_ItIsNotPaidButCostsNoPenalty() public {
        announce(firstEpoch(), 96);
        creditNext(ALL);
        creditNext(uint96(2 ** 48 - 1));
        creditNext(1);
        assertEq(market.getOrder(orderId).down, 12 hours + 300);
        assertEq(market.getOrder(orderId).creditedTwice, 4 hours - allowed(2), "of the four hours that nobody announced");
    }

    function test_WhenTheDowntimeWasAnnouncedAndComesAfterAPenalty_ThePenaltyStaysWhatItWas() public {
        announce(firstEpoch() + 96, 96);
        creditNext(uint96(2 ** 48 - 1));
        creditNext(ALL);
        uint256 before = allowed(2);
        creditNext(1);
        assertEq(market.getOrder(orderId).creditedTwice, 4 hours - before);
        creditNext(ALL);
        creditNext(1);
        assertEq(market.getOrder(orderId).creditedTwice, 12 hours + 300 - allowed(2), "what follows counts again");
    }

    /// @dev Half a percent of the order up to the end of that many periods before `period`.
    function allowed(uint64 periods) private view returns (uint256) {
        return (endOf(period - periods) - market.getOrder(orderId).activateTime) / 200;
    }

    /// @notice Credits the downtime of `period` and moves on to the next period.
    function creditNext(uint96 down) private {
        submit(report(three(down, down, down)));
        pass(4 hours);
        findings.credit(address(market), orderId, period);
        period += 1;
    }
}
