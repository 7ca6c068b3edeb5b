// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketUserConfirmTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.userConfirm(7);
    }

    function test_WhenTheCallerIsNotTheUser_ItRevertsWithNotUser() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotUser.selector, id, provider));
        vm.prank(provider);
        market.userConfirm(id);
    }

    function test_WhenTheOrderIsNotActive_ItRevertsWithWrongStatus() public {
        vm.startPrank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.userConfirm(id);
    }

    function test_WhenTheProbationIsOver_ItRevertsWithNotInProbation() public {
        pass(10 minutes);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotInProbation.selector, id));
        vm.prank(user);
        market.userConfirm(id);
    }

    function test_WhenItWasConfirmedBefore_ItRevertsWithNotInProbation() public {
        vm.startPrank(user);
        market.userConfirm(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotInProbation.selector, id));
        market.userConfirm(id);
    }

    function test_WhenItWasDeployedBefore_ItRevertsWithNotInProbation() public {
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotInProbation.selector, id));
        vm.prank(user);
        market.userConfirm(id);
    }

    function test_WhenInProbation_ItEndsTheProbation() public {
        vm.expectEmit(address(market));
        emit IMarket.OrderConfirmed(id);
        vm.prank(user);
        market.userConfirm(id);
        assertTrue(market.getOrder(id).userConfirm);
        market.proSettle(id);
    }
}
