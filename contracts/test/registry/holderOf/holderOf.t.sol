// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryHolderOfTest is Base {
    function test_WhenNobodyHasIt_ItIsZero() public view {
        assertEq(registry.holderOf("rack one"), address(0));
        assertEq(registry.holderOf("--"), address(0));
    }

    function test_WhenAProviderGivesItUp_ItIsFree() public {
        registerProvider(provider);
        assertEq(registry.holderOf("RACK one"), provider);
        vm.startPrank(provider);
        registry.revise(IRegistry.ProviderInput("RACK one", "127.0.0.1", "", 7070));
        assertEq(registry.holderOf("rack-one"), provider, "written otherwise it is the same");
        registry.revise(IRegistry.ProviderInput("rack two", "127.0.0.1", "", 7070));
        assertEq(registry.holderOf("rack-one"), address(0));
        assertEq(registry.holderOf("rack-two"), provider);
    }
}
