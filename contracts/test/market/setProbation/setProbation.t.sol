// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetProbationTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setProbation(1 hours);
    }

    function test_WhenItIsAboveAnHour_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "probation";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 1 hours + 1, 0, 1 hours));
        vm.prank(owner);
        market.setProbation(1 hours + 1);
    }

    function test_WhenItIsWithinBounds_ItHoldsForNewOrdersOnly() public {
        uint64 old = buy(openShop(), MONTH);
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("probation", 1 hours);
        vm.prank(owner);
        market.setProbation(1 hours);
        assertEq(market.params().probation, 1 hours);
        uint64 next = buy(addNode(provider), MONTH);
        assertEq(market.getOrder(next).probation, 1 hours);
        assertNotEq(market.getOrder(old).probation, 1 hours);
    }
}
