// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Access } from "../../../src/Access.sol";
import { Set } from "../../../src/types/Set.sol";
import { Base } from "../../Base.t.sol";

contract AccessCurrentTest is Base {
    function test_WhenNothingWasPublished_ItTellsVersion0AndZeros() public {
        Access fresh = new Access(owner, guardian, validator, treasury);
        (uint32 ver, Set memory set) = fresh.current();
        assertEq(ver, 0);
        assertEq(fresh.CurrentVer(), 0);
        assertEq(set.market, address(0));
    }

    function test_WhenVersionsWerePublished_ItTellsTheNewest() public {
        address first = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        (uint32 ver, Set memory set) = access.current();
        assertEq(ver, 2);
        assertEq(abi.encode(set), abi.encode(currentSet()));
        assertNotEq(set.market, first);
    }
}
