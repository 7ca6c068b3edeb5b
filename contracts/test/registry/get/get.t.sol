// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistryGetTest is Base {
    function test_WhenTheAccountNeverRegistered_ItTellsThatItDoesNotExist() public view {
        IRegistry.ProviderView memory p = registry.get(provider);
        assertFalse(p.exist);
        assertEq(p.addr, provider);
        assertEq(p.name, "");
    }

    function test_WhenItDid_ItTellsWhatItSaidAndWhatItOffersAndSold() public {
        buy(openShop(), MONTH);
        addNode(provider);
        vm.prank(provider);
        registry.setOperator(operator);
        IRegistry.ProviderView memory p = registry.get(provider);
        assertTrue(p.exist);
        assertEq(abi.encode(p.name, p.ip, p.domain, p.port), abi.encode("rack-one", "127.0.0.1", "rack.example", 7070));
        assertEq(p.operator, operator);
        assertEq(abi.encode(p.nNode, p.nMem, p.nDisk), abi.encode(2, 256, 4000));
        assertEq(abi.encode(p.uNode, p.uMem, p.uDisk), abi.encode(1, 128, 2000));
        assertEq(p.lastNode, 2);
    }
}
