// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryRegisterTest is Base {
    function test_WhenEntriesArePaused_ItRevertsWithEntriesPaused() public {
        vm.prank(guardian);
        access.pause();
        vm.expectRevert(IRegistry.EntriesPaused.selector);
        vm.prank(provider);
        registry.register(providerInput());
    }

    function test_WhenTheCallerIsRegistered_ItRevertsWithAlreadyRegistered() public {
        registerProvider(provider);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.AlreadyRegistered.selector, provider));
        vm.prank(provider);
        registry.register(providerInput());
    }

    function test_WhenTheNameIsEmpty_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.name = "";
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "name", 0, 1, 64));
        vm.prank(provider);
        registry.register(input);
    }

    function test_WhenTheNameIsLongerThan64Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.name = string(new bytes(65));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "name", 65, 1, 64));
        vm.prank(provider);
        registry.register(input);
    }

    function test_WhenTheIpIsEmpty_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.ip = "";
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "ip", 0, 1, 45));
        vm.prank(provider);
        registry.register(input);
    }

    function test_WhenTheDomainIsLongerThan253Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.domain = string(new bytes(254));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "domain", 254, 0, 253));
        vm.prank(provider);
        registry.register(input);
    }

    function test_WhenThePortIsZero_ItRevertsWithCountOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.port = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "port", 0, 1, 65_535));
        vm.prank(provider);
        registry.register(input);
    }

    function test_WhenAnotherProviderHasTheName_ItRevertsWithNameTaken() public {
        registerProvider(provider);
        registerAs(stranger, "rack-one", provider);
    }

    function test_WhenTheNameReadsTheSameAsAnother_ItRevertsWithNameTaken() public {
        registerProvider(provider);
        string[8] memory same = [
            unicode"RACK ONE",
            unicode"ＲＡＣＫ　ｏｎｅ",
            unicode"r\u0430ck \u043ene",
            unicode"r\u0391ck-\u039fne",
            unicode"rack\u200bone",
            unicode"rack\u202eone",
            unicode"rack.0ne",
            "  rack one!"
        ];
        for (uint256 i = 0; i < same.length; ++i) {
            registerAs(stranger, same[i], provider);
        }
        vm.prank(provider);
        registry.revise(IRegistry.ProviderInput("Modern Willow 15", "127.0.0.1", "", 7070));
        registerAs(stranger, "rnodem vvi11ovvl5", provider);
        registerAs(stranger, "modern willow is", provider);
        registerAs(stranger, "rack-one", address(0));
        registerAs(operator, unicode"机架一号", address(0));
        registerAs(user, unicode"机架 一号", operator);
        registerAs(user, unicode"机架二号", address(0));
    }

    function test_WhenTheNameHasNoLetterOrDigit_ItRevertsWithNameUnreadable() public {
        vm.expectRevert(IRegistry.NameUnreadable.selector);
        vm.prank(stranger);
        registry.register(IRegistry.ProviderInput(unicode"-- \u200b\u0301", "127.0.0.1", "", 7070));
    }

    /// @notice Registers, or reverts with the holder of the name.
    function registerAs(address cp, string memory name, address holder) internal {
        assertEq(registry.holderOf(name), holder, name);
        if (holder != address(0)) vm.expectRevert(abi.encodeWithSelector(IRegistry.NameTaken.selector, holder));
        vm.prank(cp);
        registry.register(IRegistry.ProviderInput(name, "127.0.0.1", "", 7070));
    }

    function test_WhenAllIsWell_ItListsTheProvider() public {
        vm.expectEmit(address(registry));
        emit IRegistry.ProviderRegistered(provider, "rack-one", "127.0.0.1", "rack.example", 7070);
        vm.prank(provider);
        registry.register(providerInput());
        IRegistry.ProviderView memory p = registry.get(provider);
        assertTrue(p.exist);
        assertEq(p.addr, provider);
        assertEq(p.name, "rack-one");
        assertEq(p.ip, "127.0.0.1");
        assertEq(p.domain, "rack.example");
        assertEq(p.port, 7070);
        assertEq(p.nNode, 0);
        assertEq(p.lastNode, 0);
        assertEq(p.operator, address(0));
        assertEq(registry.gInfo().cpNumber, 1);
    }
}
