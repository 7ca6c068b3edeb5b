// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { Base } from "../../Base.t.sol";

contract AccessRenounceOwnershipTest is Base {
    function test_WhenAnybodyCalls_ItRevertsWithRenounceDisabled() public {
        vm.expectRevert(IAccess.RenounceDisabled.selector);
        vm.prank(owner);
        access.renounceOwnership();
    }
}
