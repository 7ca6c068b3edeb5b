// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Access } from "../../../src/Access.sol";
import { Base } from "../../Base.t.sol";

contract AccessMarketOfTest is Base {
    function test_WhenNothingWasPublished_ItTellsZero() public {
        Access fresh = new Access(owner, guardian, validator, treasury);
        assertEq(fresh.marketOf(1), address(0));
    }

    function test_WhenTheIdLiesBelowTheFirstOneEver_ItTellsZero() public view {
        assertEq(access.marketOf(0), address(0));
    }

    function test_WhenTheIdBelongsToAnEarlierMarket_ItTellsThatOneAlsoWhenItIsRetired() public {
        address first = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        vm.prank(owner);
        access.retire(first);
        assertEq(access.marketOf(1), first);
        assertEq(access.marketOf(999), first);
    }

    function test_WhenTheIdIsOfTheCurrentMarketOrYetToCome_ItTellsTheCurrentOne() public {
        address first = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        assertEq(access.marketOf(1000), address(market));
        assertEq(access.marketOf(type(uint64).max), address(market));
        assertNotEq(first, address(market));
    }
}
