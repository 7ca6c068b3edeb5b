// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract RegistrySignsForTest is Base {
    function setUp() public override {
        super.setUp();
        registerProvider(provider);
        vm.prank(provider);
        registry.setOperator(operator);
    }

    function test_WhenItIsTheProviderOrItsOperator_ItBindsTheProvider() public view {
        assertTrue(registry.signsFor(provider, provider, type(uint256).max));
        assertTrue(registry.signsFor(provider, operator, type(uint256).max));
    }

    function test_WhenItIsAnOperatorThatWasReplacedLater_ItBindsTheProviderForTheTimeBefore() public {
        pass(1 hours);
        vm.prank(provider);
        registry.setOperator(stranger);
        uint256 replacedAt = vm.getBlockTimestamp();
        assertTrue(registry.signsFor(provider, operator, replacedAt - 1));
        assertFalse(registry.signsFor(provider, operator, replacedAt));
        assertTrue(registry.signsFor(provider, stranger, replacedAt));
        vm.prank(provider);
        registry.setOperator(operator);
        assertTrue(registry.signsFor(provider, operator, type(uint256).max));
        assertTrue(registry.signsFor(provider, stranger, replacedAt - 1));
    }

    function test_WhenItIsAnybodyElse_ItBindsNobody() public {
        assertFalse(registry.signsFor(provider, stranger, 0));
        assertFalse(registry.signsFor(provider, address(0), 0));
        vm.prank(provider);
        registry.setOperator(address(0));
        assertFalse(registry.signsFor(provider, address(0), 0));
        assertFalse(registry.signsFor(stranger, operator, 0));
    }
}
