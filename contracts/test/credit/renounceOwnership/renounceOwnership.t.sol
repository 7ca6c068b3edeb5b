// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ICredit } from "../../../src/interfaces/ICredit.sol";
import { Base } from "../../Base.t.sol";

contract CreditRenounceOwnershipTest is Base {
    function test_WhenAnybodyCalls_ItRevertsWithRenounceDisabled() public {
        vm.expectRevert(ICredit.RenounceDisabled.selector);
        vm.prank(owner);
        credit.renounceOwnership();
    }
}
