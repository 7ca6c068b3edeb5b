// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MAX_MIN_TERM, MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetMinTermTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheCallerIsNeitherProviderNorOperator_ItRevertsWithNotOperator() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotOperator.selector, stranger, provider));
        vm.prank(stranger);
        registry.setMinTerm(provider, id, 1 days);
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(provider);
        registry.setMinTerm(provider, 9, 1 days);
    }

    function test_WhenItIsLongerThanSixMonths_ItRevertsWithCountOutOfBounds() public {
        vm.startPrank(provider);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "minTerm", uint256(MAX_MIN_TERM) + 1, 0, MAX_MIN_TERM));
        registry.setMinTerm(provider, id, MAX_MIN_TERM + 1);
        registry.setMinTerm(provider, id, MAX_MIN_TERM);
        assertEq(registry.get_node(provider, id).minTerm, 6 * MONTH);
    }

    function test_WhenTheOperatorCallsWhileSold_ItHoldsForTheNextOrderAndThisOneGoesOn() public {
        vm.prank(provider);
        registry.setOperator(operator);
        uint64 order = buy(id, 1 hours);
        IRegistry.NodeView memory before = registry.get_node(provider, id);
        vm.startPrank(operator);
        vm.expectEmit(address(registry));
        emit IRegistry.MinTermSet(provider, id, 1 days);
        registry.setMinTerm(provider, id, 1 days);
        IRegistry.NodeView memory node = registry.get_node(provider, id);
        assertEq(node.minTerm, 1 days);
        assertEq(node.orderId, order);
        before.minTerm = 1 days;
        assertEq(abi.encode(node), abi.encode(before), "nothing else changes");
    }

    function test_WhenTheNodeIsDeleted_ItIsForgotten() public {
        vm.startPrank(provider);
        registry.setMinTerm(provider, id, 1 days);
        registry.del_node(id);
        assertEq(registry.minTermOf(provider, id), 1 hours);
    }
}
