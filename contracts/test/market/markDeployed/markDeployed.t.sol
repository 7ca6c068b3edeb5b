// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketMarkDeployedTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenTheCallerIsNotTheRegistry_ItRevertsWithNotRegistry() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotRegistry.selector, provider));
        vm.prank(provider);
        market.markDeployed(id);
    }

    function test_WhenTheNodeIsMarkedDeployedForTheFirstTime_ItRemembersThatAndEndsTheProbationForGood() public {
        vm.expectEmit(address(market));
        emit IMarket.OrderDeployed(id, GENESIS);
        vm.startPrank(provider);
        registry.set_avail(provider, 1, true);
        registry.set_avail(provider, 1, false);
        vm.stopPrank();
        assertTrue(market.getOrder(id).deployed);
        market.proSettle(id);
    }

    function test_WhenTheNodeIsMarkedDeployedAgain_ItChangesNothing() public {
        vm.startPrank(provider);
        registry.set_avail(provider, 1, true);
        registry.set_avail(provider, 1, false);
        vm.recordLogs();
        registry.set_avail(provider, 1, true);
        assertEq(vm.getRecordedLogs().length, 1, "NodeAvailSet alone");
        assertTrue(market.getOrder(id).deployed);
    }
}
