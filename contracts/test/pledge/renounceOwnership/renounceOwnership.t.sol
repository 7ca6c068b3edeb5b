// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeRenounceOwnershipTest is Base {
    function test_WhenAnybodyCalls_ItRevertsWithRenounceDisabled() public {
        vm.expectRevert(IPledge.RenounceDisabled.selector);
        vm.prank(owner);
        pledge.renounceOwnership();
    }
}
