// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketFundRewardsTest is Base {
    function test_WhenTheAmountIsZero_ItRevertsWithZeroAmount() public {
        vm.expectRevert(IMarket.ZeroAmount.selector);
        market.fundRewards(0);
    }

    function test_WhenItIsNot_ItAddsToThePool() public {
        vm.startPrank(stranger);
        credit.approve(address(market), 5 * USD);
        vm.expectEmit(address(market));
        emit IMarket.RewardsFunded(stranger, 5 * USD);
        market.fundRewards(5 * USD);
        assertEq(market.rewards(), 5 * USD);
    }
}
