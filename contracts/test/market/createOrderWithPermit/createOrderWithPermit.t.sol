// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { Base } from "../../Base.t.sol";

contract MarketCreateOrderWithPermitTest is Base {
    uint64 internal nodeId;

    function setUp() public override {
        super.setUp();
        nodeId = openShop();
    }

    function test_WhenThePermitIsGood_ItBuysWithoutAnApproval() public {
        IMarket.Permit memory permit = signPermit(420 * USD);
        vm.prank(user);
        uint64 id = market.createOrderWithPermit(orderInput(nodeId, MONTH), permit);
        assertEq(market.getOrder(id).totalValue, 420 * USD);
        assertEq(credit.allowance(user, address(market)), 0);
    }

    function test_WhenSomebodyElseSpentThePermitBefore_ItBuysWithTheAllowanceThatIsThere() public {
        IMarket.Permit memory permit = signPermit(420 * USD);
        vm.prank(stranger);
        credit.permit(user, address(market), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        vm.prank(user);
        assertEq(market.createOrderWithPermit(orderInput(nodeId, MONTH), permit), 1);
    }

    function test_WhenThePermitIsBadAndNothingIsApproved_ItRevertsWithTheErrorOfCredit() public {
        IMarket.Permit memory permit = signPermit(420 * USD);
        permit.value += 1;
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(user);
        market.createOrderWithPermit(orderInput(nodeId, MONTH), permit);
    }
}
