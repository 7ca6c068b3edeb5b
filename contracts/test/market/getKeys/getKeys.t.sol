// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketGetKeysTest is Base {
    function setUp() public override {
        super.setUp();
        buy(openShop(), MONTH);
        for (uint256 i = 0; i < 4; ++i) {
            buy(addNode(provider), MONTH);
        }
    }

    function test_WhenMoreThan200AreAskedFor_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.PageTooLong.selector, 201, 200));
        market.getKeys(user, 0, 201);
    }

    function test_WhenTheCursorIsNoOrderOfTheAccount_ItGoesOnWithTheNextBelow() public {
        (uint64[] memory ids, uint64 next) = market.getKeys(stranger, 3, 10);
        assertEq(ids.length + next, 0);
        (ids, next) = market.getKeys(user, 1000, 1);
        assertEq(ids[0], 5);
        assertEq(next, 4);
    }

    function test_WhenTheAccountHasNoOrders_ItIsEmpty() public {
        (uint64[] memory ids, uint64 next) = market.getKeys(stranger, 0, 10);
        assertEq(ids.length, 0);
        assertEq(next, 0);
    }

    function test_WhenReadPageByPage_ItListsAllNewestFirst() public {
        (uint64[] memory ids, uint64 next) = market.getKeys(user, 0, 3);
        assertEq(ids.length, 3);
        assertEq(ids[0], 5);
        assertEq(ids[2], 3);
        assertEq(next, 2);
        (ids, next) = market.getKeys(user, next, 3);
        assertEq(ids.length, 2);
        assertEq(ids[1], 1);
        assertEq(next, 0);
    }
}
