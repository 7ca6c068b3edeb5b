// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeFundInterestTest is Base {
    function test_WhenTheAmountIsZero_ItRevertsWithZeroAmount() public {
        vm.expectRevert(IPledge.ZeroAmount.selector);
        pledge.fundInterest(0);
    }

    function test_WhenItIsNot_ItAddsToThePool() public {
        vm.startPrank(stranger);
        credit.approve(address(pledge), USD);
        vm.expectEmit(address(pledge));
        emit IPledge.InterestFunded(stranger, USD);
        pledge.fundInterest(USD);
        assertEq(pledge.pool(), USD);
    }
}
