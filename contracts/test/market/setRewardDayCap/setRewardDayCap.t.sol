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

    function test_WhenItIsMoreThanCanBeCounted_ItRevertsWithParamOutOfBounds() public {
        uint256 most = (1 << 48) * 1e12;
        vm.startPrank(owner);
        market.setRewardDayCap(most);
        // forge-lint: disable-next-line(unsafe-typecast)
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, bytes32("rewardDayCap"), most + 1, 0, most));
        market.setRewardDayCap(most + 1);
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
