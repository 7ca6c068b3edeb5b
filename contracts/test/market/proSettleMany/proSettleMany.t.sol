// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketProSettleManyTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThereAreMoreThan50Ids_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.PageTooLong.selector, 51, 50));
        market.proSettleMany(new uint64[](51));
    }

    function test_WhenSomeCannotBeSettled_ItSkipsThemAndSettlesTheOthers() public {
        uint64 created = buy(addNode(provider), MONTH);
        pass(10 days);
        uint64 fresh = buy(addNode(provider), MONTH);
        activate(fresh);
        uint64[] memory ids = new uint64[](5);
        (ids[0], ids[1], ids[2], ids[3], ids[4]) = (99, created, fresh, id, id);
        market.proSettleMany(ids);
        assertEq(market.getOrder(id).remuneration, 126 * USD);
        assertEq(market.getOrder(created).remuneration, 0);
        assertEq(market.getOrder(fresh).remuneration, 0);
    }

    function test_WhenThePaymentOfACancelIsPending_ItDecidesItInItsTime() public {
        pass(10 days);
        vm.prank(user);
        market.userCancel(id);
        uint64[] memory ids = new uint64[](1);
        ids[0] = id;
        market.proSettleMany(ids);
        assertEq(market.earned(provider), 126 * USD);
        pass(24 hours);
        market.proSettleMany(ids);
        assertEq(market.earned(provider), 140 * USD);
        market.proSettleMany(ids);
        assertEq(market.earned(provider), 140 * USD);
    }
}
