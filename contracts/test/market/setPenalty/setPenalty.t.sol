// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetPenaltyTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setPenalty(168 hours);
    }

    function test_WhenItIsAbove168Hours_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "penalty";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 169 hours, 24 hours, 168 hours));
        vm.prank(owner);
        market.setPenalty(169 hours);
    }

    function test_WhenItIsBelowTheHoldback_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "penalty";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 23 hours, 24 hours, 168 hours));
        vm.prank(owner);
        market.setPenalty(23 hours);
    }

    function test_WhenItIsNotWholeHours_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "penalty";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 24 hours + 1, 24 hours, 168 hours));
        vm.prank(owner);
        market.setPenalty(24 hours + 1);
    }

    function test_WhenItIsWithinBounds_ItHoldsForNewOrdersOnly() public {
        uint64 old = buy(openShop(), MONTH);
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("penalty", 168 hours);
        vm.prank(owner);
        market.setPenalty(168 hours);
        assertEq(market.params().penalty, 168 hours);
        uint64 next = buy(addNode(provider), MONTH);
        assertEq(market.getOrder(next).penalty, 168 hours);
        assertNotEq(market.getOrder(old).penalty, 168 hours);
    }
}
