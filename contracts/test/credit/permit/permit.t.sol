// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { ERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import { Base } from "../../Base.t.sol";

contract CreditPermitTest is Base {
    function test_WhenTheDeadlineHasPassed_ItRevertsWithERC2612ExpiredSignature() public {
        IMarket.Permit memory p = signPermit(1);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612ExpiredSignature.selector, GENESIS - 1));
        credit.permit(user, address(market), 1, GENESIS - 1, p.v, p.r, p.s);
    }

    function test_WhenItIsForAnotherSpender_ItRevertsWithERC2612InvalidSigner() public {
        IMarket.Permit memory p = signPermit(1);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        credit.permit(user, stranger, 1, p.deadline, p.v, p.r, p.s);
    }

    function test_WhenItIsForAnotherAmount_ItRevertsWithERC2612InvalidSigner() public {
        IMarket.Permit memory p = signPermit(1);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        credit.permit(user, address(market), 2, p.deadline, p.v, p.r, p.s);
    }

    function test_WhenTheHolderIsAnotherAccount_ItRevertsWithERC2612InvalidSigner() public {
        IMarket.Permit memory p = signPermit(1);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        credit.permit(stranger, address(market), 1, p.deadline, p.v, p.r, p.s);
    }

    function test_WhenItIsGood_ItSetsTheAllowanceOnce() public {
        IMarket.Permit memory p = signPermit(7);
        credit.permit(user, address(market), 7, p.deadline, p.v, p.r, p.s);
        assertEq(credit.allowance(user, address(market)), 7);
        assertEq(credit.nonces(user), 1);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        credit.permit(user, address(market), 7, p.deadline, p.v, p.r, p.s);
    }

    function test_WhenTheChainHasSplit_ItRevertsWithERC2612InvalidSigner() public {
        IMarket.Permit memory p = signPermit(1);
        vm.chainId(block.chainid + 1);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        credit.permit(user, address(market), 1, p.deadline, p.v, p.r, p.s);
    }
}
