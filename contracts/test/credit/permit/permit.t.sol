// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { ERC20 } from "solady/tokens/ERC20.sol";
import { Base } from "../../Base.t.sol";

contract CreditPermitTest is Base {
    function test_WhenTheDeadlineHasPassed_ItRevertsWithPermitExpired() public {
        IMarket.Permit memory p = signPermit(1);
        vm.expectRevert(ERC20.PermitExpired.selector);
        credit.permit(user, address(market), 1, GENESIS - 1, p.v, p.r, p.s);
    }

    function test_WhenItIsNotSignedByTheOwner_ItRevertsWithInvalidPermit() public {
        IMarket.Permit memory p = signPermit(1);
        vm.expectRevert(ERC20.InvalidPermit.selector);
        credit.permit(user, stranger, 1, p.deadline, p.v, p.r, p.s);
    }

    function test_WhenItIsGood_ItSetsTheAllowanceOnce() public {
        IMarket.Permit memory p = signPermit(7);
        credit.permit(user, address(market), 7, p.deadline, p.v, p.r, p.s);
        assertEq(credit.allowance(user, address(market)), 7);
        assertEq(credit.nonces(user), 1);
        vm.expectRevert(ERC20.InvalidPermit.selector);
        credit.permit(user, address(market), 7, p.deadline, p.v, p.r, p.s);
    }
}
