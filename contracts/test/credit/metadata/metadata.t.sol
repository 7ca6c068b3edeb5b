// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract CreditMetadataTest is Base {
    function test_WhenAsked_ItIsRackfairCreditWith18Decimals() public {
        assertEq(credit.name(), "Rackfair Credit");
        assertEq(credit.symbol(), "CREDIT");
        assertEq(credit.decimals(), 18);
    }
}
