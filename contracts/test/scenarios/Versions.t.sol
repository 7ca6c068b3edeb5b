// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { Pledge } from "../../src/Pledge.sol";
import { Registry } from "../../src/Registry.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Base } from "../Base.t.sol";

/// @notice A second version is published while orders of the first run; the first drains until it can be retired.
contract VersionsTest is Base {
    function test_ANewMarketOverTheSameRegistry() public {
        uint64 running_ = running();
        uint64 waiting = buy(addNode(provider), MONTH);
        IMarketWithLens old = market;
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());

        vm.expectRevert(abi.encodeWithSelector(IMarket.Draining.selector, address(market)));
        vm.prank(user);
        old.extend(running_, MONTH);
        vm.prank(provider);
        old.activate(waiting);
        pass(10 days);
        old.proSettle(running_);
        vm.prank(user);
        old.userCancel(running_);
        assertEq(old.escrow(), 434 * USD, "a day of the one is pending, beside the other");
        pass(24 hours);
        old.proSettle(running_);
        assertEq(buy(1, MONTH), 1000, "the node is sold by the new Market");
        assertEq(access.marketOf(running_), address(old));
        assertEq(access.marketOf(1000), address(market));

        pass(MONTH);
        old.proSettle(waiting);
        assertEq(uint8(old.getOrder(waiting).status), uint8(OrderStatus.Completed));
        assertEq(old.escrow(), 0);
        vm.prank(owner);
        access.retire(address(old));
        old.release(running_);
        vm.prank(provider);
        assertEq(old.proWithdraw(), 560 * USD);
    }

    function test_ANewRegistryAndPledgeToo() public {
        uint64 order = running();
        (IMarketWithLens oldMarket, Registry oldRegistry, Pledge oldPledge) = (market, registry, pledge);
        deployModules(1000);
        assertFalse(registry.get(provider).exist, "providers register again");
        uint64 bought = buy(openShop(), MONTH);

        vm.prank(user);
        oldMarket.userCancel(order);
        assertFalse(oldRegistry.get_node(provider, 1).sold);
        assertEq(registry.get_node(provider, 1).orderId, bought);
        vm.startPrank(provider);
        oldRegistry.del_node(1);
        oldPledge.unpledge(address(credit), 1000 * USD);
        assertEq(pledge.pledgeOf(provider), 1000 * USD);
        vm.stopPrank();
        vm.prank(owner);
        access.retire(address(oldMarket));
    }
}
