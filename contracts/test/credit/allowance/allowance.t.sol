// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract CreditAllowanceTest is Base {
    function test_WhenTheSpenderIsPermit2_ItIsNothingUntilItIsGiven() public {
        address permit2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
        assertEq(credit.allowance(user, permit2), 0);
        vm.prank(user);
        credit.approve(permit2, 5);
        assertEq(credit.allowance(user, permit2), 5);
    }
}
