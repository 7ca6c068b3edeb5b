// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract MarketRewardsLeftTodayTest is Base {
    function setUp() public override {
        super.setUp();
        vm.startPrank(stranger);
        credit.approve(address(market), 50_000 * USD);
        market.fundRewards(50_000 * USD);
        vm.stopPrank();
    }

    function test_WhenNothingWasPaidToday_ItIsTheCap() public view {
        assertEq(market.rewardsLeftToday(), 1000 * USD);
    }

    function test_WhenSomethingWas_ItIsTheRestOfTheCap() public {
        redeem(300 * USD);
        assertEq(market.rewardsLeftToday(), 700 * USD);
    }

    function test_WhenTheCapWasLoweredBelowThat_ItIsNothing() public {
        redeem(300 * USD);
        vm.prank(owner);
        market.setRewardDayCap(100 * USD);
        assertEq(market.rewardsLeftToday(), 0);
    }

    function test_WhenADayHasPassed_ItIsTheCapAgainAtTheEndOfTheSpan() public {
        vm.warp(vm.getBlockTimestamp() / 8 hours * 8 hours + 1 hours);
        redeem(300 * USD);
        pass(31 hours - 1);
        assertEq(market.rewardsLeftToday(), 700 * USD);
        pass(1);
        assertEq(market.rewardsLeftToday(), 1000 * USD);
    }

    function test_WhenMidnightPasses_ItIsStillTheRest() public {
        vm.warp((vm.getBlockTimestamp() / 1 days + 1) * 1 days - 1);
        redeem(1000 * USD);
        pass(1);
        assertEq(market.rewardsLeftToday(), 0);
    }

    function test_WhenPartOfAMillionthIsPaid_ItCountsAsAWholeOne() public {
        redeem(1000 * USD - 1e12 + 1);
        assertEq(market.rewardsLeftToday(), 0);
    }

    function testFuzz_WhenVouchersArePaidAtAnyTimes_ItNeverLetsMoreThanTheCapBePaidInADay(uint256 seed) public {
        uint256[16] memory times;
        uint256[16] memory amounts;
        for (uint256 i = 0; i < times.length; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            pass(seed % 10 hours);
            uint256 left = market.rewardsLeftToday();
            if (left == 0) continue;
            (times[i], amounts[i]) = (vm.getBlockTimestamp(), bound(seed >> 32, 1, left));
            redeem(amounts[i]);
            uint256 paid = 0;
            for (uint256 k = 0; k <= i; ++k) {
                if (times[k] + 1 days > times[i]) paid += amounts[k];
            }
            assertLe(paid, 1000 * USD);
        }
    }

    function redeem(uint256 amount) internal {
        bytes memory sig = signVoucher(user, amount, market.nonces(user), type(uint256).max);
        vm.prank(user);
        market.withdraw(amount, sig);
    }
}
