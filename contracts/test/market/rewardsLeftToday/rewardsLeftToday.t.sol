// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract MarketRewardsLeftTodayTest is Base {
    function setUp() public override {
        super.setUp();
        vm.startPrank(stranger);
        credit.approve(address(market), 5000 * USD);
        market.fundRewards(5000 * USD);
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

    function test_WhenTheNextDayBegins_ItIsTheCapAgain() public {
        redeem(300 * USD);
        vm.warp((vm.getBlockTimestamp() / 1 days + 1) * 1 days - 1);
        assertEq(market.rewardsLeftToday(), 700 * USD);
        pass(1);
        assertEq(market.rewardsLeftToday(), 1000 * USD);
    }

    function redeem(uint256 amount) internal {
        bytes memory sig = signVoucher(user, amount, market.nonces(user), type(uint256).max);
        vm.prank(user);
        market.withdraw(amount, sig);
    }
}
