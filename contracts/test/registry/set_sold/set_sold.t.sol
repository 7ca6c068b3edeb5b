// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetSoldTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheCallerIsNotAMarketInService_ItRevertsWithNotMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotMarket.selector, user));
        vm.prank(user);
        registry.set_sold(provider, id, 1, 1);
        vm.prank(address(market));
        registry.set_sold(provider, id, 1, 1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotMarket.selector, user));
        vm.prank(user);
        registry.set_sold(provider, id, 1, 0);
    }

    function test_WhenItWouldBeReservedAndDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(address(market));
        registry.set_sold(provider, 9, 1, 1);
    }

    function test_WhenItWouldBeReservedAndIsOffline_ItRevertsWithNodeOffline() public {
        vm.prank(provider);
        registry.setOnline(provider, id, false);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeOffline.selector, provider, id));
        vm.prank(address(market));
        registry.set_sold(provider, id, 1, 1);
    }

    function test_WhenItWouldBeReservedAndIsSold_ItRevertsWithNodeSold() public {
        vm.startPrank(address(market));
        registry.set_sold(provider, id, 5, 1);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeSold.selector, provider, id, uint64(5)));
        registry.set_sold(provider, id, 6, 1);
    }

    function test_WhenItWouldBeReservedAtAnotherRevision_ItRevertsWithStaleNode() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.StaleNode.selector, 3, 1));
        vm.prank(address(market));
        registry.set_sold(provider, id, 1, 3);
    }

    function test_WhenItIsReserved_ItNamesTheOrderCountsAndTellsTheRate() public {
        vm.prank(address(market));
        (uint256 rate, uint32 minTerm) = registry.set_sold(provider, id, 5, 1);
        assertEq(rate, 420 * USD);
        assertEq(minTerm, 1 hours);
        assertEq(registry.get(provider).uNode, 1);
        assertEq(registry.gInfo().nodeUsed, 1);
        assertEq(registry.gInfo().memUsed, 128);
        assertEq(registry.gInfo().diskUsed, 2000);
        assertEq(registry.get(provider).uMem, 128);
        assertEq(registry.get(provider).uDisk, 2000);
        (uint64 orderId, uint32 rev, bool exist, bool avail, bool online) = registry.stateOf(provider, id);
        assertEq(orderId, 5);
        assertEq(rev, 1);
        assertTrue(exist);
        assertFalse(avail);
        assertTrue(online);
    }

    function test_WhenItIsLetGoByTheOrderThatHoldsIt_ItIsFreeAndCountedOut() public {
        vm.startPrank(address(market));
        registry.set_sold(provider, id, 5, 1);
        registry.set_sold(provider, id, 5, 0);
        assertEq(registry.get(provider).uNode, 0);
        assertEq(registry.gInfo().nodeUsed, 0);
        assertEq(registry.gInfo().memUsed, 0);
        assertEq(registry.gInfo().diskUsed, 0);
        assertFalse(registry.get_node(provider, id).sold);
    }

    function test_WhenItIsLetGoByAnotherOrder_ItDoesNothing() public {
        vm.startPrank(address(market));
        registry.set_sold(provider, id, 5, 1);
        vm.recordLogs();
        registry.set_sold(provider, id, 4, 0);
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(registry.get_node(provider, id).orderId, 5);
    }

    function test_WhenItIsLetGoByOrderZero_ItDoesNothing() public {
        vm.recordLogs();
        vm.prank(address(market));
        registry.set_sold(provider, id, 0, 0);
        assertEq(vm.getRecordedLogs().length, 0);
    }
}
