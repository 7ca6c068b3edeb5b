// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryGetListTest is Base {
    function setUp() public override {
        super.setUp();
        registerProvider(provider);
        registerProvider(stranger);
    }

    function test_WhenMoreThan200AreAskedFor_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PageTooLong.selector, 201, 200));
        registry.getList(0, 201);
    }

    function test_WhenTheStartIsPastTheEnd_ItIsEmpty() public {
        assertEq(registry.getList(2, 10).length, 0);
    }

    function test_WhenThereAreProviders_ItListsThemInTheOrderOfRegistration() public {
        IRegistry.ProviderView[] memory list = registry.getList(0, 200);
        assertEq(list.length, 2);
        assertEq(list[1].addr, stranger);
        assertEq(registry.getList(0, 1)[0].name, "rack-one");
        assertEq(registry.getList(1, 1)[0].addr, stranger);
    }
}
