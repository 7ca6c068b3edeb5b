// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetDeployedTest is Base {
    uint64 internal order;

    function setUp() public override {
        super.setUp();
        order = running();
    }

    function test_WhenTheCallerIsNoMarketInService_ItRevertsWithNotMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotMarket.selector, provider));
        vm.prank(provider);
        registry.setDeployed(provider, 1, order);
    }

    function test_WhenAnotherOrderHoldsTheNode_ItChangesNothing() public {
        vm.prank(address(market));
        registry.setDeployed(provider, 1, order + 1);
        assertFalse(registry.get_node(provider, 1).avail);
    }

    function test_WhenTheOrderHoldsTheNode_ItMarksTheNodeDeployed() public {
        vm.expectEmit(address(registry));
        emit IRegistry.NodeAvailSet(provider, 1, true);
        vm.prank(address(market));
        registry.setDeployed(provider, 1, order);
        assertTrue(registry.get_node(provider, 1).avail);
    }

    function test_WhenTheNodeIsDeployedAlready_ItChangesNothing() public {
        vm.startPrank(address(market));
        registry.setDeployed(provider, 1, order);
        vm.recordLogs();
        registry.setDeployed(provider, 1, order);
        assertEq(vm.getRecordedLogs().length, 0);
    }
}
