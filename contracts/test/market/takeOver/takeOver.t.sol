// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketTakeOverTest is Base {
    uint64 internal nodeId;
    address internal old;

    function setUp() public override {
        super.setUp();
        nodeId = openShop();
        old = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
    }

    function test_WhenTheMarketDrains_ItRevertsWithDraining() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.Draining.selector, address(market)));
        IMarket(old).takeOver(rest());
    }

    function test_WhenEntriesArePaused_ItRevertsWithEntriesPaused() public {
        vm.prank(guardian);
        access.pause();
        vm.expectRevert(IMarket.EntriesPaused.selector);
        vm.prank(old);
        market.takeOver(rest());
    }

    function test_WhenTheCallerIsNoMarketThatDrains_ItRevertsWithNotDraining() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotDraining.selector, user));
        vm.prank(user);
        market.takeOver(rest());
    }

    function test_WhenItCostsMoreThanWasPaidForIt_ItRevertsWithFeeTooHigh() public {
        IMarket.Move memory input = rest();
        input.order.maxFee = 420 * USD - 1;
        vm.expectRevert(abi.encodeWithSelector(IMarket.FeeTooHigh.selector, 420 * USD, 420 * USD - 1));
        vm.prank(old);
        market.takeOver(input);
    }

    function rest() internal view returns (IMarket.Move memory) {
        return IMarket.Move({ from: 1, user: user, deployed: false, order: orderInput(nodeId, MONTH) });
    }
}
