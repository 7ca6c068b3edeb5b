// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketQuoteOrderTest is Base {
    function test_WhenThereIsNoSuchNode_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, 1));
        market.quoteOrder(provider, 1, MONTH);
    }

    function test_WhenThereIs_ItQuotesWhatCreateOrderCompares() public {
        uint64 nodeId = openShop();
        vm.prank(owner);
        market.setCommissionBps(250);
        (uint256 fee, uint32 rev, IMarket.Conditions memory conditions) = market.quoteOrder(provider, nodeId, MONTH);
        assertEq(fee, 420 * USD);
        assertEq(rev, 1);
        assertEq(abi.encode(conditions), abi.encode(IMarket.Conditions(10 minutes, 24 hours, 24 hours, 250)));
    }
}
