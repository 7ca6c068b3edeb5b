// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract PledgeRunwayTest is Base {
    function setUp() public override {
        super.setUp();
        pledgeFor(provider, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        vm.stopPrank();
    }

    function test_WhenNothingIsLocked_ItHasNoEnd() public {
        setRate(0.1e18);
        assertEq(pledge.runway(), type(uint256).max);
    }

    function test_WhenTheRateIs0_ItHasNoEnd() public {
        lockFor(provider, 1, 1000 * USD);
        assertEq(pledge.runway(), type(uint256).max);
    }

    function test_WhenInterestAccrues_ItIsWhenThePoolWillBeEmpty() public {
        setRate(0.1e18);
        lockFor(provider, 1, 1000 * USD);
        assertEq(pledge.runway(), 547.5 days);
        pass(147.5 days);
        assertEq(pledge.runway(), 400 days, "also before it is booked");
        pass(400 days);
        assertEq(pledge.getInterest(provider), 150 * USD);
        assertEq(pledge.runway(), 0);
    }

    function test_WhenThePoolIsEmpty_ItIs0() public {
        setRate(0.1e18);
        lockFor(provider, 1, 1000 * USD);
        pass(20 * 365 days);
        pledge.updateInterest();
        assertEq(pledge.runway(), 0);
    }

    function setRate(uint256 rate) internal {
        vm.prank(owner);
        pledge.setRate(rate);
    }
}
