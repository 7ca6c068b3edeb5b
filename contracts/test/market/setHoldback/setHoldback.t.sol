// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetHoldbackTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setHoldback(1 hours);
    }

    function test_WhenItIsAboveThePenalty_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "holdback";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 25 hours, 0, 24 hours));
        vm.prank(owner);
        market.setHoldback(25 hours);
    }

    function test_WhenItIsNotWholeHours_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "holdback";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 3601, 0, 24 hours));
        vm.prank(owner);
        market.setHoldback(3601);
    }

    function test_WhenItIsWithinBounds_ItHoldsForNewOrdersOnly() public {
        uint64 old = buy(openShop(), MONTH);
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("holdback", 1 hours);
        vm.prank(owner);
        market.setHoldback(1 hours);
        assertEq(market.params().holdback, 1 hours);
        uint64 next = buy(addNode(provider), MONTH);
        assertEq(market.getOrder(next).holdback, 1 hours);
        assertNotEq(market.getOrder(old).holdback, 1 hours);
    }
}
