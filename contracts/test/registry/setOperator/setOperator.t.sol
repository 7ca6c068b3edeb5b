// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetOperatorTest is Base {
    function test_WhenTheCallerIsNotRegistered_ItRevertsWithNotRegistered() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, stranger));
        vm.prank(stranger);
        registry.setOperator(operator);
    }

    function test_WhenTheProviderCalls_ItAppointsAndDismisses() public {
        registerProvider(provider);
        vm.startPrank(provider);
        vm.expectEmit(address(registry));
        emit IRegistry.OperatorSet(provider, operator);
        registry.setOperator(operator);
        assertEq(registry.operatorOf(provider), operator);
        registry.setOperator(address(0));
        assertEq(registry.operatorOf(provider), address(0));
    }
}
