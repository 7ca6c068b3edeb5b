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

    function test_WhenMoreThan200AreAskedFor_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PageTooLong.selector, 201, 200));
        registry.listCP(0, 201);
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
