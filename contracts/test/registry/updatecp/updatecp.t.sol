// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryUpdatecpTest is Base {
    function setUp() public override {
        super.setUp();
        registerProvider(provider);
    }

    function test_WhenTheCallerIsNotRegistered_ItRevertsWithNotRegistered() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, stranger));
        vm.prank(stranger);
        registry.updatecp(providerInput());
    }

    function test_WhenTheNameIsEmpty_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.name = "";
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "name", 0, 1, 64));
        vm.prank(provider);
        registry.updatecp(input);
    }

    function test_WhenTheNameIsLongerThan64Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.name = string(new bytes(65));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "name", 65, 1, 64));
        vm.prank(provider);
        registry.updatecp(input);
    }

    function test_WhenTheIpIsEmpty_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.ip = "";
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "ip", 0, 1, 45));
        vm.prank(provider);
        registry.updatecp(input);
    }

    function test_WhenTheDomainIsLongerThan253Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.domain = string(new bytes(254));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "domain", 254, 0, 253));
        vm.prank(provider);
        registry.updatecp(input);
    }

    function test_WhenThePortIsZero_ItRevertsWithCountOutOfBounds() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.port = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "port", 0, 1, 65_535));
        vm.prank(provider);
        registry.updatecp(input);
    }

    function test_WhenAnotherProviderHasTheName_ItRevertsWithNameTaken() public {
        registerProvider(stranger);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NameTaken.selector, provider));
        vm.prank(stranger);
        registry.updatecp(IRegistry.ProviderInput("Rack One", "127.0.0.1", "", 7070));
    }

    function test_WhenAllIsWell_ItReplacesEveryFieldAlsoWhenPaused() public {
        vm.prank(guardian);
        access.pause();
        IRegistry.ProviderInput memory input = IRegistry.ProviderInput({ name: "rack-two", ip: "::1", domain: "", port: 65_535 });
        vm.expectEmit(address(registry));
        emit IRegistry.ProviderRevised(provider, "rack-two", "::1", "", 65_535);
        vm.prank(provider);
        registry.updatecp(input);
        IRegistry.ProviderView memory p = registry.get(provider);
        assertEq(p.name, "rack-two");
        assertEq(p.ip, "::1");
        assertEq(p.domain, "");
        assertEq(p.port, 65_535);
    }
}
