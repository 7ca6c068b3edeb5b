// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetProbationTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setProbation(24 hours);
    }

    function test_WhenItIsAbove24Hours_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "probation";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 24 hours + 1, 0, 24 hours));
        vm.prank(owner);
        market.setProbation(24 hours + 1);
    }

    function test_WhenItIsWithinBounds_ItHoldsForNewOrdersOnly() public {
        uint64 old = buy(openShop(), MONTH);
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("probation", 24 hours);
        vm.prank(owner);
        market.setProbation(24 hours);
        assertEq(market.params().probation, 24 hours);
        uint64 next = buy(addNode(provider), MONTH);
        assertEq(market.getOrder(next).probation, 24 hours);
        assertNotEq(market.getOrder(old).probation, 24 hours);
    }
}
