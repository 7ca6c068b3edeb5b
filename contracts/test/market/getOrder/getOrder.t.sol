// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketGetOrderTest is Base {
    function test_WhenThereIsNoSuchOrder_ItIsAllZero() public {
        assertEq(market.getOrder(7).id, 0);
        assertEq(market.getOrder(7).user, address(0));
    }

    function test_WhenItIsPastItsEnd_ItIsShownAsExpired() public {
        uint64 id = running();
        pass(MONTH - 1);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Active));
        pass(1);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Expired));
    }

    function test_WhenItIsClosed_ItHasNothingLeftInEscrow() public {
        uint64 id = running();
        vm.prank(user);
        market.userCancel(id);
        assertEq(market.getOrder(id).remain, 0);
    }
}
