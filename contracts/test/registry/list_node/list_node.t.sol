// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryListNodeTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenMoreThan200AreAskedFor_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PageTooLong.selector, 201, 200));
        registry.list_node(provider, 0, 201);
    }

    function test_WhenTheStartIsPastTheEnd_ItIsEmpty() public {
        assertEq(registry.list_node(provider, 1, 10).length, 0);
        assertEq(registry.list_node(stranger, 0, 10).length, 0);
        assertEq(registry.list_node(provider, type(uint256).max, 10).length, 0);
    }

    function test_WhenThereAreNodes_ItListsThemInOrderDeletedOnesMarked() public {
        addNode(provider);
        addNode(provider);
        vm.prank(provider);
        registry.del_node(2);
        IRegistry.NodeView[] memory list = registry.list_node(provider, 1, 10);
        assertEq(list.length, 2);
        assertEq(list[0].id, 2);
        assertFalse(list[0].exist);
        assertEq(list[1].id, 3);
        assertTrue(list[1].exist);
        assertEq(registry.list_node(provider, 0, 1).length, 1);
    }
}
