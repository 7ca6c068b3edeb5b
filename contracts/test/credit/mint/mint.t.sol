// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Base } from "../../Base.t.sol";

contract CreditMintTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        credit.mint(stranger, 1);
    }

    function test_WhenTheOwnerCalls_ItCreatesMoney() public {
        uint256 supply = credit.totalSupply();
        vm.prank(owner);
        credit.mint(operator, 5);
        assertEq(credit.balanceOf(operator), 5);
        assertEq(credit.totalSupply(), supply + 5);
    }
}
