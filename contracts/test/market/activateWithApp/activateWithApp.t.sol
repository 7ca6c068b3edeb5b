// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH, START } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketActivateWithAppTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = buy(openShop(), MONTH);
        vm.prank(provider);
        registry.setOperator(operator);
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.activateWithApp(7, "nginx");
    }

    function test_WhenTheCallerIsNeitherProviderNorOperator_ItRevertsWithNotOperator() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOperator.selector, user, provider));
        vm.prank(user);
        market.activateWithApp(id, "nginx");
    }

    function test_WhenTheNameIsLongerThan31Bytes_ItRevertsWithAppTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.AppTooLong.selector, 32, 31));
        vm.prank(operator);
        market.activateWithApp(id, "an application with a name of 32");
    }

    function test_WhenTheOrderIsClosed_ItRevertsWithWrongStatus() public {
        vm.prank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.UserCancelled));
        vm.prank(operator);
        market.activateWithApp(id, "nginx");
    }

    function test_When24HoursHavePassed_ItRevertsWithStartExpired() public {
        pass(START);
        vm.expectRevert(abi.encodeWithSelector(IMarket.StartExpired.selector, id, GENESIS + START));
        vm.prank(operator);
        market.activateWithApp(id, "nginx");
    }

    function test_WhenTheOrderHasEnded_ItRevertsWithOrderEnded() public {
        activate(id);
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderEnded.selector, id, GENESIS + MONTH));
        vm.prank(operator);
        market.activateWithApp(id, "nginx");
    }

    function test_WhenTheOrderIsCreated_ItStartsItsTimeNamesTheAppAndMarksTheNodeDeployed() public {
        pass(START - 1);
        vm.expectEmit(address(market));
        emit IMarket.OrderActivated(id, GENESIS + START - 1);
        vm.expectEmit(address(market));
        emit IMarket.OrderDeployed(id, GENESIS + START - 1);
        vm.expectEmit(address(market));
        emit IMarket.AppSet(id, "facefusion");
        vm.expectEmit(address(registry));
        emit IRegistry.NodeAvailSet(provider, 1, true);
        vm.prank(operator);
        market.activateWithApp(id, "facefusion");
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.Active));
        assertEq(o.activateTime, GENESIS + START - 1);
        assertEq(o.lastSettleTime, GENESIS + START - 1);
        assertTrue(o.providerConfirm);
        assertTrue(o.deployed);
        assertTrue(registry.get_node(provider, 1).avail);
    }

    function test_WhenTheOrderRuns_ItNamesTheAppMarksTheNodeDeployedAndLeavesTheTime() public {
        activate(id);
        pass(5 minutes);
        vm.expectEmit(address(market));
        emit IMarket.AppSet(id, "facefusion");
        vm.prank(provider);
        market.activateWithApp(id, "facefusion");
        IMarket.Order memory o = market.getOrder(id);
        assertEq(o.activateTime, GENESIS);
        assertTrue(o.deployed);
        assertTrue(registry.get_node(provider, 1).avail);
    }

    function test_WhenItIsSentAgain_ItOnlyNamesTheAppAgain() public {
        vm.startPrank(operator);
        market.activateWithApp(id, "facefusion");
        pass(1);
        vm.recordLogs();
        market.activateWithApp(id, "facefusion");
        assertEq(vm.getRecordedLogs().length, 1);
        assertEq(market.getOrder(id).activateTime, GENESIS);
    }

    function test_WhenTheApplicationWasTakenAway_ItMarksTheNodeDeployedAgain() public {
        vm.startPrank(operator);
        market.activateWithApp(id, "nginx");
        registry.set_avail(provider, 1, false);
        vm.expectEmit(address(market));
        emit IMarket.AppSet(id, "facefusion");
        market.activateWithApp(id, "facefusion");
        assertTrue(registry.get_node(provider, 1).avail);
    }
}
