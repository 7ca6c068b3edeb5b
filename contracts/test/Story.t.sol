// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../src/interfaces/IMarket.sol";
import { MONTH } from "../src/types/Constants.sol";
import { OrderStatus } from "../src/types/OrderStatus.sol";
import { Base } from "./Base.t.sol";

contract StoryTest is Base {
    function test_AnOrderFromRegistrationToItsCancel() public {
        uint64 nodeId = openShop();
        (uint256 fee, uint32 rev) = market.feeOrder(provider, nodeId, MONTH);
        assertEq(fee, 420 * USD);
        assertEq(rev, 1);

        uint64 id = buy(nodeId, MONTH);
        assertEq(market.escrow(), fee);
        assertTrue(registry.get_node(provider, nodeId).sold);

        activate(id);
        pass(10 days);
        market.proSettle(id);
        assertEq(market.earned(provider), 420 * USD * 9 / 30, "all but the holdback of a day");

        (uint256 toUser, uint256 toProvider,,, uint256 pending) = market.quoteCancel(id, false);
        uint256 before = credit.balanceOf(user);
        vm.prank(user);
        market.userCancel(id);
        assertEq(credit.balanceOf(user) - before, toUser);
        assertEq(toUser, 280 * USD);
        assertEq(toProvider, 0);
        assertEq(pending, 14 * USD, "until a report speaks of the last day, or for a day");
        pass(24 hours);
        market.proSettle(id);

        IMarket.Order memory order = market.getOrder(id);
        assertEq(uint8(order.status), uint8(OrderStatus.UserCancelled));
        assertEq(order.remuneration, 140 * USD);
        assertEq(order.remain, 0);
        assertFalse(registry.get_node(provider, nodeId).sold);
        vm.prank(provider);
        assertEq(market.proWithdraw(), 140 * USD);
        assertEq(credit.balanceOf(address(market)), 0);
    }
}
