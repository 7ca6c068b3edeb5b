// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IMarketOffice } from "../../../src/interfaces/IMarketOffice.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Base } from "../../Base.t.sol";

contract AccessRetireTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        access.retire(address(market));
    }

    function test_WhenItIsNoMarketInService_ItRevertsWithNotMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotMarket.selector, stranger));
        vm.prank(owner);
        access.retire(stranger);
    }

    function test_WhenItIsTheCurrentMarket_ItRevertsWithMarketIsCurrent() public {
        vm.expectRevert(abi.encodeWithSelector(IAccess.MarketIsCurrent.selector, address(market)));
        vm.prank(owner);
        access.retire(address(market));
    }

    function test_WhenItHoldsEscrow_ItRevertsWithMarketNotEmpty() public {
        running();
        address old = address(market);
        market = newMarket(1000);
        vm.startPrank(owner);
        access.publish(currentSet());
        vm.expectRevert(abi.encodeWithSelector(IAccess.MarketNotEmpty.selector, old, 420 * USD));
        access.retire(old);
    }

    function test_WhenItIsDrained_ItLosesItsRightsAndKeepsItsEarnings() public {
        uint64 id = running();
        pass(10 days);
        address old = address(market);
        cancelAndWait(id);
        market = newMarket(1000);
        vm.startPrank(owner);
        access.publish(currentSet());
        vm.expectEmit(address(access));
        emit IAccess.ModuleRetired(old);
        access.retire(old);
        vm.stopPrank();
        assertFalse(access.isMarket(old));
        assertFalse(registry.isMarket(old));
        assertTrue(registry.isMarket(address(market)));
        assertEq(access.marketOf(id), old);
        vm.prank(provider);
        assertEq(IMarketOffice(old).proWithdraw(), 140 * USD);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotMarket.selector, old));
        vm.prank(old);
        registry.set_sold(provider, 1, 1, 1);
    }
}
