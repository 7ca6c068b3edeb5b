// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { Set } from "../../../src/types/Set.sol";
import { Base } from "../../Base.t.sol";

contract AccessAnnounceTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        access.announce(currentSet());
    }

    function test_WhenAContractNamesAnother_ItRevertsWithNotWired() public {
        Set memory set = currentSet();
        set.credit = stranger;
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotWired.selector, address(pledge), address(credit), stranger));
        vm.prank(owner);
        access.announce(set);
    }

    function test_WhenItIsWired_ItSaysFromWhenItCanBePublished() public {
        market = newMarket(1000);
        vm.expectEmit(address(access));
        emit IAccess.VersionAnnounced(currentSet(), GENESIS + 7 days);
        vm.prank(owner);
        access.announce(currentSet());
    }
}
