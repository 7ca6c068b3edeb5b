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
        vm.expectRevert(abi.encodeWithSelector(IMarket.DurationOutOfBounds.selector, MONTH - 1, MONTH, MAX_DURATION));
        market.feeOrder(provider, nodeId, MONTH - 1);
    }

    function test_WhenThereIs_ItQuotesFeeAndRevision() public {
        vm.prank(provider);
        registry.updatenode(nodeId, nodeInput());
        (uint256 fee, uint32 rev) = market.feeOrder(provider, nodeId, 120 * MONTH);
        assertEq(fee, 50_400 * USD);
        assertEq(rev, 2);
    }
}
