// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketWithdrawTest is Base {
    function setUp() public override {
        super.setUp();
        vm.startPrank(stranger);
        credit.approve(address(market), 5000 * USD);
        market.fundRewards(5000 * USD);
        vm.stopPrank();
    }

    function test_WhenTheAmountIsZero_ItRevertsWithZeroAmount() public {
        vm.expectRevert(IMarket.ZeroAmount.selector);
        market.withdraw(0, "");
    }

    function test_WhenTheVoucherHasExpired_ItRevertsWithVoucherExpired() public {
        bytes memory sig = signVoucher(user, USD, 0, GENESIS - 1);
        vm.expectRevert(abi.encodeWithSelector(IMarket.VoucherExpired.selector, GENESIS - 1));
        vm.prank(user);
        market.withdraw(USD, sig);
    }

    function test_WhenTheVoucherIsForSomebodyElse_ItRevertsWithBadSignature() public {
        bytes memory sig = signVoucher(user, USD, 0, GENESIS);
        vm.expectRevert(IMarket.BadSignature.selector);
        vm.prank(stranger);
        market.withdraw(USD, sig);
    }

    function test_WhenTheVoucherWasPaid_ItRevertsWithBadSignature() public {
        bytes memory sig = signVoucher(user, USD, 0, GENESIS);
        vm.startPrank(user);
        market.withdraw(USD, sig);
        vm.expectRevert(IMarket.BadSignature.selector);
        market.withdraw(USD, sig);
    }

    function test_WhenItDoesNotFitIntoTheCapOfTheDay_ItRevertsWithDayCapExceeded() public {
        bytes memory first = signVoucher(user, 600 * USD, 0, type(uint256).max);
        vm.startPrank(user);
        market.withdraw(600 * USD, first);
        bytes memory second = signVoucher(user, 600 * USD, 1, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(IMarket.DayCapExceeded.selector, 600 * USD, 400 * USD));
        market.withdraw(600 * USD, second);
        pass(32 hours);
        market.withdraw(600 * USD, second);
        assertEq(market.rewardsLeftToday(), 400 * USD);
    }

    function test_WhenTheOwnerLowersTheCapBelowWhatWasPaid_ItLeavesNothingForToday() public {
        bytes memory sig = signVoucher(user, 600 * USD, 0, type(uint256).max);
        vm.prank(user);
        market.withdraw(600 * USD, sig);
        vm.prank(owner);
        market.setRewardDayCap(100 * USD);
        assertEq(market.rewardsLeftToday(), 0);
    }

    function test_WhenThePoolHoldsLess_ItRevertsWithRewardsTooLow() public {
        vm.prank(owner);
        market.setRewardDayCap(10_000 * USD);
        bytes memory sig = signVoucher(user, 5001 * USD, 0, GENESIS);
        vm.expectRevert(abi.encodeWithSelector(IMarket.RewardsTooLow.selector, 5001 * USD, 5000 * USD));
        vm.prank(user);
        market.withdraw(5001 * USD, sig);
    }

    function test_WhenItIsGood_ItPaysOutOfThePool() public {
        uint256 before = credit.balanceOf(user);
        bytes memory sig = signVoucher(user, USD, 0, GENESIS);
        vm.expectEmit(address(market));
        emit IMarket.VoucherPaid(user, USD, 0);
        vm.prank(user);
        market.withdraw(USD, sig);
        assertEq(credit.balanceOf(user) - before, USD);
        assertEq(market.rewards(), 4999 * USD);
        assertEq(market.nonces(user), 1);
    }
}
