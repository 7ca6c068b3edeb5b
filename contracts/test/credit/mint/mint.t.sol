// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { ICredit } from "../../../src/interfaces/ICredit.sol";
import { Base } from "../../Base.t.sol";

contract CreditMintTest is Base {
    function test_WhenAStrangerCalls_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        credit.mint(stranger, 1);
    }

    function test_WhenTheReceiverIsTheZeroAddress_ItRevertsWithERC20InvalidReceiver() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        vm.prank(owner);
        credit.mint(address(0), 1);
    }

    function test_WhenTheOwnerCallsOnTheDevelopmentChain_ItCreatesMoney() public {
        uint256 supply = credit.totalSupply();
        vm.prank(owner);
        credit.mint(operator, 5);
        assertEq(credit.balanceOf(operator), 5);
        assertEq(credit.totalSupply(), supply + 5);
    }

    function test_WhenTheOwnerCallsOnAnotherChain_ItRevertsWithMintThroughGate() public {
        vm.chainId(985);
        vm.expectRevert(abi.encodeWithSelector(ICredit.MintThroughGate.selector, address(gate)));
        vm.prank(owner);
        credit.mint(owner, 1);
    }

    function test_WhenTheGateCallsOnAnotherChain_ItCreatesMoney() public {
        vm.chainId(985);
        vm.prank(address(gate));
        credit.mint(operator, 5);
        assertEq(credit.balanceOf(operator), 5);
    }
}
