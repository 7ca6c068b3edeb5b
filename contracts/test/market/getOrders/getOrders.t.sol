// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketGetOrdersTest is Base {
    function setUp() public override {
        super.setUp();
        buy(openShop(), MONTH);
        for (uint256 i = 0; i < 4; ++i) {
            buy(addNode(provider), MONTH);
        }
    }

    function test_WhenMoreThan100AreAskedFor_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.PageTooLong.selector, 101, 100));
        market.getOrders(1, 101);
    }

    function test_WhenTheStartIsPastTheNewest_ItIsEmpty() public {
        assertEq(market.getOrders(6, 10).length, 0);
    }

    function test_WhenTheStartIsBelowTheFirst_ItBeginsWithTheFirst() public {
        IMarket.Order[] memory list = market.getOrders(0, 2);
        assertEq(list.length, 2);
        assertEq(list[0].id, 1);
    }

    function test_WhenThePageReachesPastTheNewest_ItIsCutThere() public {
        IMarket.Order[] memory list = market.getOrders(4, 10);
        assertEq(list.length, 2);
        assertEq(list[1].id, 5);
    }
}
