// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetRewardDayCapTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setRewardDayCap(1);
    }

    function test_WhenTheOwnerCalls_ItIsTheCapOfVouchers() public {
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("rewardDayCap", 5 * USD);
        vm.prank(owner);
        market.setRewardDayCap(5 * USD);
        assertEq(market.params().rewardDayCap, 5 * USD);
        assertEq(market.rewardsLeftToday(), 5 * USD);
    }
}
