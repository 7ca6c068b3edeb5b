// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Service } from "../../../src/types/Service.sol";
import { Base } from "../../Base.t.sol";

contract RegistrySetMarketTest is Base {
    function test_WhenTheCallerIsNotAccess_ItRevertsWithNotAccess() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotAccess.selector, owner));
        vm.prank(owner);
        registry.setMarket(owner, Service.Selling);
    }

    function test_WhenAMarketComesIntoService_ItMaySellNodesAndLockPledges() public {
        uint64 id = openShop();
        vm.expectEmit(address(registry));
        emit IRegistry.MarketSet(stranger, Service.Selling);
        vm.prank(address(access));
        registry.setMarket(stranger, Service.Selling);
        assertTrue(registry.isMarket(stranger));
        vm.startPrank(stranger);
        registry.set_sold(provider, id, 1, 1);
        pledge.lock(provider, 1, USD);
        assertEq(pledge.freeOf(provider), 999 * USD);
    }

    function test_WhenAMarketLeavesService_ItMayDoNeither() public {
        uint64 id = openShop();
        vm.expectEmit(address(registry));
        emit IRegistry.MarketSet(address(market), Service.None);
        vm.prank(address(access));
        registry.setMarket(address(market), Service.None);
        assertFalse(registry.isMarket(address(market)));
        vm.startPrank(address(market));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotMarket.selector, address(market)));
        registry.set_sold(provider, id, 1, 1);
        vm.expectRevert(abi.encodeWithSelector(IPledge.NotMarket.selector, address(market)));
        pledge.lock(provider, 1, USD);
    }
}
