// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IERC20 } from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import { stdError } from "forge-std/StdError.sol";
import { Base } from "../Base.t.sol";

/// @notice Cases of OpenZeppelin's own tests of ERC20, ERC20Permit and ERC20Burnable that no tree in this folder covers.
contract OpenZeppelinTest is Base {
    uint256 private constant FUNDED = 1_000_000e18;
    address private immutable _nobody = makeAddr("nobody");

    function test_TotalSupply_IsWhatWasCreatedAndNotDestroyed() public {
        uint256 before = credit.totalSupply();
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(address(0), _nobody, 7);
        vm.prank(owner);
        credit.mint(_nobody, 7);
        assertEq(credit.totalSupply(), before + 7);
        vm.prank(_nobody);
        credit.burn(3);
        assertEq(credit.totalSupply(), before + 4);
        assertEq(credit.balanceOf(_nobody), 4);
    }

    function test_TotalSupply_DoesNotOverflow() public {
        uint256 left = type(uint256).max - credit.totalSupply();
        vm.startPrank(owner);
        vm.expectRevert(stdError.arithmeticError);
        credit.mint(_nobody, left + 1);
        credit.mint(_nobody, left);
        assertEq(credit.totalSupply(), type(uint256).max);
    }

    function test_BalanceOf_IsZeroOfAnAccountWithoutTokens() public view {
        assertEq(credit.balanceOf(_nobody), 0);
    }

    function test_TransferFrom_OfZeroNeedsNoAllowance() public {
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, _nobody, 0);
        vm.prank(stranger);
        assertTrue(credit.transferFrom(user, _nobody, 0));
    }

    function test_Approve_OfZeroTakesAnAllowanceBack() public {
        vm.startPrank(user);
        credit.approve(stranger, 5);
        vm.expectEmit(address(credit));
        emit IERC20.Approval(user, stranger, 0);
        credit.approve(stranger, 0);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, stranger, 0, 1));
        vm.prank(stranger);
        // forge-lint: disable-next-line(erc20-unchecked-transfer)
        credit.transferFrom(user, _nobody, 1);
    }

    function test_Burn_OfZeroDestroysNothingAndEmitsTransfer() public {
        vm.expectEmit(address(credit));
        emit IERC20.Transfer(user, address(0), 0);
        vm.prank(user);
        credit.burn(0);
        assertEq(credit.balanceOf(user), FUNDED);
    }

    function test_BurnFrom_LeavesAnUnlimitedAllowance() public {
        vm.prank(user);
        credit.approve(stranger, type(uint256).max);
        vm.prank(stranger);
        credit.burnFrom(user, 5);
        assertEq(credit.allowance(user, stranger), type(uint256).max);
        assertEq(credit.balanceOf(user), FUNDED - 5);
    }

    function test_Permit_OfTheDeadlineItselfIsGood() public {
        assertEq(credit.nonces(user), 0);
        uint256 deadline = vm.getBlockTimestamp();
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, user, stranger, 5, credit.nonces(user), deadline));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(userKey, keccak256(abi.encodePacked("\x19\x01", credit.DOMAIN_SEPARATOR(), structHash)));
        credit.permit(user, stranger, 5, deadline, v, r, s);
        assertEq(credit.allowance(user, stranger), 5);
    }
}
