// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Set } from "../../../src/types/Set.sol";
import { Base } from "../../Base.t.sol";

contract AccessAddressesTest is Base {
    function test_WhenTheVersionWasNeverPublished_ItTellsZeros() public view {
        assertEq(abi.encode(access.addresses(0)), abi.encode(Set(address(0), address(0), address(0), address(0))));
        assertEq(access.addresses(2).market, address(0));
    }

    function test_WhenItWas_ItTellsItsContractsForGood() public {
        Set memory old = currentSet();
        address first = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        assertEq(abi.encode(access.addresses(1)), abi.encode(old));
        assertEq(abi.encode(access.addresses(2)), abi.encode(currentSet()));
        assertEq(old.market, first);
    }
}
