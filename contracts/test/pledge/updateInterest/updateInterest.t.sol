// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeUpdateInterestTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        lockFor(provider, 1, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        vm.stopPrank();
    }

    function test_WhenTimeHasPassed_ItBooksTheInterestOfEverybody() public {
        pass(73 days);
        vm.expectEmit(address(pledge));
        emit IPledge.InterestAccrued(0.02e27, 20 * USD, GENESIS + 73 days);
        vm.prank(user);
        pledge.updateInterest();
        assertEq(pledge.owed(), 20 * USD);
        assertEq(pledge.pool(), 130 * USD);
    }

    function test_WhenNoTimeHasPassed_ItDoesNothing() public {
        vm.recordLogs();
        pledge.updateInterest();
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenNothingIsLocked_ItKeepsThePool() public {
        unlockFor(provider, 1, 1000 * USD);
        pass(365 days);
        pledge.updateInterest();
        assertEq(pledge.pool(), 150 * USD);
        lockFor(provider, 2, 1000 * USD);
        assertEq(pledge.getInterest(provider), 0);
    }

    function test_WhenThePoolIsTooSmall_ItPaysOutThePoolAndNoMore() public {
        pass(20 * 365 days);
        pledge.updateInterest();
        assertEq(pledge.pool(), 0);
        assertEq(pledge.owed(), 150 * USD);
        assertEq(pledge.getInterest(provider), 150 * USD);
        pass(365 days);
        assertEq(pledge.getInterest(provider), 150 * USD);
    }

    function test_WhenItIsCalledOften_ItPromisesNoMoreThanItBooks() public {
        pledgeFor(user, 3 * USD + 1);
        lockFor(user, 2, 3 * USD + 1);
        for (uint256 i = 0; i < 100; ++i) {
            pass(7777 + i);
            pledge.updateInterest();
        }
        assertLe(pledge.getInterest(provider) + pledge.getInterest(user), pledge.owed());
    }

    function testFuzz_WhenItIsCalledAtAnyTimes_ItPaysWhatOneCallPaysButForRounding(uint32 a, uint32 b, uint128 other) public {
        uint256 amount = bound(other, USD, 1000 * USD);
        pledgeFor(user, amount);
        lockFor(user, 2, amount);
        uint256 time = uint256(a) + b;
        uint256 snapshot = vm.snapshotState();
        pass(time);
        uint256 atOnce = pledge.getInterest(provider);
        vm.revertToState(snapshot);
        pass(a);
        pledge.updateInterest();
        pass(b);
        assertApproxEqAbs(pledge.getInterest(provider), atOnce, 2);
    }
}
