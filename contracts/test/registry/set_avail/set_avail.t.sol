// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetAvailTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheCallerIsNeitherProviderNorOperator_ItRevertsWithNotOperator() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotOperator.selector, user, provider));
        vm.prank(user);
        registry.set_avail(provider, id, true);
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(provider);
        registry.set_avail(provider, 9, false);
    }

    function test_WhenItIsNotSoldAndWouldBeDeployed_ItRevertsWithNodeNotSold() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotSold.selector, provider, id));
        vm.prank(provider);
        registry.set_avail(provider, id, true);
    }

    function test_WhenItIsSold_ItMarksItDeployedAndNotAndTheNextSaleBeginsUndeployed() public {
        vm.prank(provider);
        registry.setOperator(operator);
        uint64 order = buy(id, MONTH);
        vm.prank(operator);
        vm.expectEmit(address(registry));
        emit IRegistry.NodeAvailSet(provider, id, true);
        registry.set_avail(provider, id, true);
        assertTrue(registry.get_node(provider, id).avail);
        vm.prank(user);
        market.userCancel(order);
        assertFalse(registry.get_node(provider, id).avail);
        vm.prank(provider);
        registry.set_avail(provider, id, false);
    }
}
