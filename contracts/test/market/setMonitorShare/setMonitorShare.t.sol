// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetMonitorShareTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setMonitorShare(1);
    }

    function test_WhenItIsAboveHalf_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "monitorShare";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 5001, 0, 5000));
        vm.prank(owner);
        market.setMonitorShare(5001);
    }

    function test_WhenItIsWithinBounds_ItIsTheShareOfTheNextCommission() public {
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("monitorShare", 5000);
        vm.prank(owner);
        market.setMonitorShare(5000);
        assertEq(market.params().monitorShare, 5000);
    }
}
