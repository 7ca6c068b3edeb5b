// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract PledgeDrainTest is Base {
    function test_WhenTheCallerIsNotAccess_ItRevertsWithNotAccess() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotAccess.selector, owner));
        vm.prank(owner);
        pledge.drain(owner);
    }

    function test_WhenTheMarketLockedSomething_ItBoundsWhatItLetsGoOf() public {
        buy(openShop(), MONTH);
        address old = address(market);
        market = newMarket(1000);
        vm.expectEmit(address(pledge));
        emit IPledge.MarketDrains(old, 14 * USD);
        vm.prank(owner);
        access.publish(currentSet());
        assertEq(pledge.lockedBy(old), 14 * USD);
        assertEq(pledge.lockedBy(address(market)), 0);
    }
}
