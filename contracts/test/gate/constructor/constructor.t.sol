// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { TokenWithDecimals } from "../../fixtures/TokenWithDecimals.sol";
import { Gate } from "../../../src/Gate.sol";
import { IGate } from "../../../src/interfaces/IGate.sol";
import { Base } from "../../Base.t.sol";

contract GateConstructorTest is Base {
    function test_WhenTheTokenCountsInMoreDigitsThanCredit_ItRevertsWithTooManyDecimals() public {
        TokenWithDecimals token = new TokenWithDecimals(19);
        vm.expectRevert(abi.encodeWithSelector(IGate.TooManyDecimals.selector, uint8(19)));
        new Gate(address(credit), address(token));
    }

    function test_WhenItCountsInAsMany_ItChangesWeiForWei() public {
        assertEq(new Gate(address(credit), address(new TokenWithDecimals(18))).scale(), 1);
    }
}
