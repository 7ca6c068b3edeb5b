// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeAnnounceReclaimTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        pledge.announceReclaim(1);
    }

    function test_WhenItIsAnnounced_ItSaysHowMuchAndFromWhen() public {
        vm.expectEmit(address(pledge));
        emit IPledge.ReclaimAnnounced(USD, GENESIS + 30 days);
        vm.prank(owner);
        pledge.announceReclaim(USD);
        (uint256 amount, uint40 from) = pledge.reclaimable();
        assertEq(amount, USD);
        assertEq(from, GENESIS + 30 days);
    }
}
