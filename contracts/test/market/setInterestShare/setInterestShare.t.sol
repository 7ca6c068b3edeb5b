// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetInterestShareTest is Base {
    function test_WhenTheCallerDoesNotOwnAccess_ItRevertsWithNotOwner() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOwner.selector, stranger));
        vm.prank(stranger);
        market.setInterestShare(1);
    }

    function test_WhenItIsAboveHalf_ItRevertsWithParamOutOfBounds() public {
        bytes32 name = "interestShare";
        vm.expectRevert(abi.encodeWithSelector(IMarket.ParamOutOfBounds.selector, name, 5001, 0, 5000));
        vm.prank(owner);
        market.setInterestShare(5001);
    }

    function test_WhenItIsWithinBounds_ItIsTheShareOfTheNextCommission() public {
        vm.expectEmit(address(market));
        emit IMarket.ParamSet("interestShare", 5000);
        vm.prank(owner);
        market.setInterestShare(5000);
        assertEq(market.params().interestShare, 5000);
    }
}
