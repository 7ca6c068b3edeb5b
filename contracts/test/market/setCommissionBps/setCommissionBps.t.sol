// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetCommissionBpsTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setCommissionBps(1000);
    }

    function test_WhenItIsAboveTenPercent_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "commissionBps";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 1001, 0, 1000));
        vm.prank(owner);
        market.setCommissionBps(1001);
    }

    function test_WhenItIsWithinBounds_ItHoldsForNewOrdersOnly() public {
        uint64 old = buy(openShop(), MONTH);
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("commissionBps", 1000);
        vm.prank(owner);
        market.setCommissionBps(1000);
        assertEq(market.params().commissionBps, 1000);
        uint64 next = buy(addNode(provider), MONTH);
        assertEq(market.getOrder(next).commissionBps, 1000);
        assertNotEq(market.getOrder(old).commissionBps, 1000);
    }
}
