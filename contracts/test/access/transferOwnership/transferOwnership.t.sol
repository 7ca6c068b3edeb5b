// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract AccessTransferOwnershipTest is Base {
    function test_WhenItIsAccepted_ItMovesEveryPowerOfTheOwnerTheMarketIncluded() public {
        vm.prank(owner);
        access.transferOwnership(stranger);
        assertEq(access.owner(), owner);
        vm.startPrank(stranger);
        access.acceptOwnership();
        assertEq(access.owner(), stranger);
        market.setCommissionBps(1);
        assertEq(market.params().commissionBps, 1);
    }
}
