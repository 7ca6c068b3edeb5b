// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract RegistryMinTermOfTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheNodeAsksForNothing_ItIsAnHour() public view {
        assertEq(registry.minTermOf(provider, id), 1 hours);
        assertEq(registry.get_node(provider, id).minTerm, 1 hours);
    }

    function test_WhenTheNodeAsksForLessThanAnHour_ItIsAnHour() public {
        vm.prank(provider);
        registry.setMinTerm(provider, id, 3599);
        assertEq(registry.minTermOf(provider, id), 1 hours);
    }

    function test_WhenTheNodeAsksForMore_ItIsThat() public {
        vm.prank(provider);
        registry.setMinTerm(provider, id, 3601);
        assertEq(registry.minTermOf(provider, id), 3601);
    }
}
