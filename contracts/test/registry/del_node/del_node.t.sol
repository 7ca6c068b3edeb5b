// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistryDelNodeTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(provider);
        registry.del_node(9);
    }

    function test_WhenTheNodeIsSold_ItRevertsWithNodeSold() public {
        buy(id, MONTH);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeSold.selector, provider, id, uint64(1)));
        vm.prank(provider);
        registry.del_node(id);
    }

    function test_WhenAllIsWell_ItIsGoneAndItsIdIsNotUsedAgain() public {
        vm.expectEmit(address(registry));
        emit IRegistry.NodeDeleted(provider, id);
        vm.prank(provider);
        registry.del_node(id);
        assertFalse(registry.get_node(provider, id).exist);
        assertEq(registry.gInfo().nodeGlobal, 0);
        assertEq(registry.nodesOf(provider), 0);
        assertEq(registry.gInfo().memGlobal, 0);
        assertEq(registry.gInfo().diskGlobal, 0);
        assertEq(addNode(provider), id + 1);
    }
}
