// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketConstructorTest is Base {
    function test_WhenTheFirstOrderIdIsZero_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "firstOrderId";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 0, 1, type(uint32).max));
        this.deployMarket(0);
    }

    /// @dev A call of its own, since its office and its lens are deployed before it.
    function deployMarket(uint32 firstOrderId) external {
        newMarket(firstOrderId);
    }

    function test_WhenItIsNot_ItNamesItsPartsAndItsParameters() public {
        assertEq(market.access(), address(access));
        assertEq(market.registry(), address(registry));
        assertEq(market.pledge(), address(pledge));
        assertEq(market.credit(), address(credit));
        assertEq(market.firstOrderId(), 1);
        assertEq(market.lastId(), 0);
        IMarket.Params memory params = market.params();
        assertEq(params.commissionBps, 0);
        assertEq(params.probation, 10 minutes);
        assertEq(params.holdback, 24 hours);
        assertEq(params.penalty, 24 hours);
        assertEq(params.rewardDayCap, 1000 * USD);
    }
}
