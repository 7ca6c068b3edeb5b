// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MAX_DURATION, MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketFeeOrderTest is Base {
    uint64 internal nodeId;

    function setUp() public override {
        super.setUp();
        nodeId = openShop();
    }

    function test_WhenThereIsNoSuchNode_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(7)));
        market.feeOrder(provider, 7, MONTH);
    }

    function test_WhenTheDurationIsOutOfBounds_ItRevertsWithDurationOutOfBounds() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, 3599, 1 hours, MAX_DURATION));
        market.feeOrder(provider, nodeId, 3599);
        vm.prank(provider);
        registry.setMinTerm(provider, nodeId, 1 days);
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, 1 days - 1, 1 days, MAX_DURATION));
        market.feeOrder(provider, nodeId, 1 days - 1);
    }

    function test_WhenThereIs_ItQuotesFeeAndRevision() public {
        vm.prank(provider);
        registry.updatenode(nodeId, nodeInput());
        (uint256 fee, uint32 rev) = market.feeOrder(provider, nodeId, 120 * MONTH);
        assertEq(fee, 50_400 * USD);
        assertEq(rev, 2);
    }
}
