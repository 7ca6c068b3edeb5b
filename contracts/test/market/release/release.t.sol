// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH, START } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketReleaseTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = buy(openShop(), MONTH);
    }

    function test_WhenThereIsNoSuchOrder_ItDoesNothing() public {
        vm.recordLogs();
        market.release(7);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenTheOrderCanStillBeActivated_ItDoesNothing() public {
        pass(START - 1);
        vm.recordLogs();
        market.release(id);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenTheOrderWasNotActivatedInTime_ItClosesItAndReturnsEverythingAndThePriceOfAnHour() public {
        pass(START);
        uint256 before = credit.balanceOf(user);
        vm.expectEmit(address(market));
        emit IMarket.OrderClosed(id, OrderStatus.ProviderCancelled, GENESIS + START, 420 * USD);
        vm.expectEmit(address(market));
        emit IMarket.BuyerCompensated(id, uint256(420 * USD) / 720);
        vm.prank(stranger);
        market.release(id);
        assertEq(credit.balanceOf(user) - before, 420 * USD + uint256(420 * USD) / 720);
        assertEq(pledge.freeOf(provider), 1000 * USD - uint256(420 * USD) / 720);
        assertEq(market.escrow(), 0);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenTheOrderIsRunning_ItDoesNothing() public {
        activate(id);
        pass(MONTH - 1);
        vm.recordLogs();
        market.release(id);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenTheOrderIsPastItsEnd_ItLetsTheNodeGoAndMovesNoMoney() public {
        activate(id);
        pass(MONTH);
        vm.expectEmit(address(registry));
        emit IRegistry.NodeSoldSet(provider, 1, id, false);
        market.release(id);
        assertEq(market.escrow(), 420 * USD);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenAnotherOrderHasBoughtTheNodeSince_ItLeavesThatOrderAlone() public {
        activate(id);
        pass(MONTH);
        uint64 second = buy(1, MONTH);
        market.release(id);
        assertEq(registry.get_node(provider, 1).orderId, second);
    }

    function test_WhenTheOrderIsClosed_ItDoesNothing() public {
        vm.prank(user);
        market.userCancel(id);
        vm.recordLogs();
        market.release(id);
        assertEq(vm.getRecordedLogs().length, 0);
    }
}
