// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH, START } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketActivateTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = buy(openShop(), MONTH);
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.activate(7);
    }

    function test_WhenTheOrderIsNotCreated_ItRevertsWithWrongStatus() public {
        activate(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.Active));
        vm.prank(provider);
        market.activate(id);
    }

    function test_WhenTheCallerIsNeitherProviderNorOperator_ItRevertsWithNotOperator() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOperator.selector, stranger, provider));
        vm.prank(stranger);
        market.activate(id);
    }

    function test_When24HoursHavePassed_ItRevertsWithStartExpired() public {
        pass(START);
        vm.expectRevert(abi.encodeWithSelector(IMarket.StartExpired.selector, id, GENESIS + START));
        vm.prank(provider);
        market.activate(id);
    }

    function test_WhenTheLastSecondHasNotPassed_ItStartsTheTimeOfTheOrder() public {
        pass(START - 1);
        vm.expectEmit(address(market));
        emit IMarket.OrderActivated(id, GENESIS + START - 1);
        activate(id);
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.Active));
        assertEq(o.activateTime, GENESIS + START - 1);
        assertEq(o.lastSettleTime, GENESIS + START - 1);
        assertTrue(o.providerConfirm);
    }

    function test_WhenTheCallerIsTheOperator_ItStartsTheTimeOfTheOrder() public {
        vm.prank(provider);
        registry.setOperator(operator);
        vm.prank(operator);
        market.activate(id);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Active));
    }
}
