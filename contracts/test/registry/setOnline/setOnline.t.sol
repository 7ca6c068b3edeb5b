// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetOnlineTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheCallerIsNeitherProviderNorOperator_ItRevertsWithNotOperator() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotOperator.selector, stranger, provider));
        vm.prank(stranger);
        registry.setOnline(provider, id, false);
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(provider);
        registry.setOnline(provider, 9, false);
    }

    function test_WhenTheOperatorCallsWhileSold_ItSwitchesAndTheOrderGoesOn() public {
        vm.prank(provider);
        registry.setOperator(operator);
        uint64 order = buy(id, MONTH);
        vm.startPrank(operator);
        vm.expectEmit(address(registry));
        emit IRegistry.OnlineSet(provider, id, false);
        registry.setOnline(provider, id, false);
        assertFalse(registry.get_node(provider, id).online);
        assertEq(registry.get_node(provider, id).orderId, order);
        registry.setOnline(provider, id, true);
        assertTrue(registry.get_node(provider, id).online);
    }
}
