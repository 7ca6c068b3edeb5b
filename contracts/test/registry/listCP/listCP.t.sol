// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryListCPTest is Base {
    function setUp() public override {
        super.setUp();
        registerProvider(provider);
        registerProvider(stranger);
    }

    function test_WhenMoreThan200AreAskedFor_ItListsTheFirst200() public {
        for (uint160 i = 1; i <= 199; ++i) {
            registerProvider(address(i << 32));
        }
        (IRegistry.ProviderView[] memory list, uint256 total) = registry.listCP(0, 1000);
        assertEq(list.length, 200);
        assertEq(total, 201);
        assertEq(list[199].addr, address(uint160(198) << 32));
    }

    function test_WhenTheStartIsPastTheEnd_ItIsEmpty() public {
        (IRegistry.ProviderView[] memory none,) = registry.listCP(2, 10);
        assertEq(none.length, 0);
    }

    function test_WhenThereAreProviders_ItListsThemInTheOrderOfRegistration() public {
        (IRegistry.ProviderView[] memory list, uint256 total) = registry.listCP(1, 200);
        assertEq(list.length, 1);
        assertEq(total, 2);
        assertEq(list[0].addr, stranger);
    }
}
