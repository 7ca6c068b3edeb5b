// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract GateWithdrawWithPermitTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        usdt.mint(address(gate), 100e6);
    }

    function test_WhenThePermitIsGood_ItPaysInOneTransaction() public {
        IMarket.Permit memory p = signPermitFor(address(gate), 2 * USD);
        vm.prank(user);
        assertEq(gate.withdrawWithPermit(2 * USD, user, p.deadline, p.v, p.r, p.s), 2e6);
        assertEq(usdt.balanceOf(user), 2e6);
    }

    function test_WhenSomebodyElseUsedThePermitFirst_ItPaysAllTheSame() public {
        IMarket.Permit memory p = signPermitFor(address(gate), 2 * USD);
        vm.prank(stranger);
        credit.permit(user, address(gate), 2 * USD, p.deadline, p.v, p.r, p.s);
        vm.prank(user);
        assertEq(gate.withdrawWithPermit(2 * USD, user, p.deadline, p.v, p.r, p.s), 2e6);
    }

    function test_WhenAStrangerSendsIt_ItRevertsWithERC20InsufficientAllowanceOfTheStranger() public {
        IMarket.Permit memory p = signPermitFor(address(gate), 2 * USD);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(gate), 0, 2 * USD));
        vm.prank(stranger);
        gate.withdrawWithPermit(2 * USD, stranger, p.deadline, p.v, p.r, p.s);
    }
}
