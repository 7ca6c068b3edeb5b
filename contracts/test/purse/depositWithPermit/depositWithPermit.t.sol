// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { PurseBase } from "../PurseBase.sol";

contract DepositWithPermitTest is PurseBase {
    function sign(uint256 amount) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 permitType = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 content = keccak256(abi.encode(permitType, user, address(purse), amount, credit.nonces(user), type(uint256).max));
        return vm.sign(userKey, keccak256(abi.encodePacked("\x19\x01", credit.DOMAIN_SEPARATOR(), content)));
    }

    function test_WhenThePermitIsValid_ItTakesTheAmount() public {
        (uint8 v, bytes32 r, bytes32 s) = sign(5 * USD);
        vm.prank(user);
        purse.depositWithPermit(5 * USD, type(uint256).max, v, r, s);
        assertEq(balance(), 10_005 * USD);
    }

    function test_WhenThePermitWasUsedAlready_ItTakesTheAmountByItsAllowance() public {
        (uint8 v, bytes32 r, bytes32 s) = sign(5 * USD);
        vm.prank(stranger);
        credit.permit(user, address(purse), 5 * USD, type(uint256).max, v, r, s);
        vm.prank(user);
        purse.depositWithPermit(5 * USD, type(uint256).max, v, r, s);
        assertEq(balance(), 10_005 * USD);
    }

    function test_WhenItIsAnothersPermit_ItRevertsAsCreditDoes() public {
        (uint8 v, bytes32 r, bytes32 s) = sign(5 * USD);
        bytes4 tooLow = IERC20Errors.ERC20InsufficientAllowance.selector;
        vm.expectRevert(abi.encodeWithSelector(tooLow, address(purse), 0, 5 * USD));
        vm.prank(stranger);
        purse.depositWithPermit(5 * USD, type(uint256).max, v, r, s);
    }
}
