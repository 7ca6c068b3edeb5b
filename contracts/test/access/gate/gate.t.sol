// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Access } from "../../../src/Access.sol";
import { Base } from "../../Base.t.sol";

contract AccessGateTest is Base {
    function test_WhenNothingWasPublished_ItTellsNoMarket() public {
        Access fresh = new Access(owner, guardian, validator, treasury);
        (address open, bool isPaused) = fresh.gate();
        assertEq(open, address(0));
        assertFalse(isPaused);
    }

    function test_WhenEntriesArePaused_ItSaysSoAndNamesTheCurrentMarket() public {
        vm.prank(guardian);
        access.pause();
        (address open, bool isPaused) = access.gate();
        assertEq(open, address(market));
        assertTrue(isPaused);
    }

    function test_WhenEntriesAreOpen_ItNamesTheCurrentMarket() public {
        address first = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        (address open, bool isPaused) = access.gate();
        assertEq(open, address(market));
        assertNotEq(open, first);
        assertFalse(isPaused);
    }
}
