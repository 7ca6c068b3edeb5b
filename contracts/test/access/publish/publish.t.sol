// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Set } from "../../../src/types/Set.sol";
import { Access } from "../../../src/Access.sol";
import { Registry } from "../../../src/Registry.sol";
import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Base } from "../../Base.t.sol";

contract AccessPublishTest is Base {
    function test_WhenTheCallerIsNotTheOwner_ItRevertsWithOwnableUnauthorizedAccount() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        access.publish(currentSet());
    }

    function test_WhenAContractNamesAnother_ItRevertsWithNotWired() public {
        market = newMarket(1000);
        Set memory set = currentSet();
        set.credit = stranger;
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotWired.selector, address(pledge), address(credit), stranger));
        vm.prank(owner);
        access.publish(set);
    }

    function test_WhenTheRegistryBelongsToAnotherAccess_ItRevertsWithNotWired() public {
        Access other = new Access(owner, guardian, validator, treasury);
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotWired.selector, address(registry), address(access), address(other)));
        vm.prank(owner);
        other.publish(currentSet());
    }

    function test_WhenTheIdsWouldOverlap_ItRevertsWithOrderIdsOverlap() public {
        buy(openShop(), MONTH);
        market = newMarket(1);
        vm.expectRevert(abi.encodeWithSelector(IAccess.OrderIdsOverlap.selector, uint64(1), uint64(1)));
        vm.prank(owner);
        access.publish(currentSet());
    }

    function test_WhenItWasNotAnnouncedOnAChainThatIsNot2985_ItRevertsWithNotAnnounced() public {
        vm.chainId(985);
        market = newMarket(1000);
        publishEarly(type(uint40).max);
    }

    function test_WhenSevenDaysHaveNotPassed_ItRevertsWithNotAnnounced() public {
        announceNext();
        pass(7 days - 1);
        publishEarly(GENESIS + 7 days);
    }

    function test_WhenFourteenDaysMoreHavePassed_ItRevertsWithNotAnnounced() public {
        announceNext();
        pass(21 days);
        publishEarly(GENESIS + 7 days);
    }

    function test_WhenAnotherSetWasAnnounced_ItRevertsWithNotAnnounced() public {
        announceNext();
        market = newMarket(2000);
        pass(7 days);
        publishEarly(type(uint40).max);
    }

    function test_WhenItWasAnnouncedSevenDaysAgo_ItIsPublishedOnce() public {
        announceNext();
        pass(7 days);
        vm.startPrank(owner);
        assertEq(access.publish(currentSet()), 2);
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotAnnounced.selector, type(uint40).max));
        access.publish(currentSet());
    }

    function announceNext() internal {
        vm.chainId(985);
        market = newMarket(1000);
        vm.prank(owner);
        access.announce(currentSet());
    }

    function publishEarly(uint40 from) internal {
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotAnnounced.selector, from));
        vm.prank(owner);
        access.publish(currentSet());
    }

    function test_WhenItIsWiredAndAbove_ItIsTheCurrentVersionAndKnowsTheOldOne() public {
        Set memory old = currentSet();
        market = newMarket(1000);
        vm.expectEmit(address(access));
        emit IAccess.VersionPublished(2, currentSet(), 1000);
        vm.prank(owner);
        assertEq(access.publish(currentSet()), 2);
        (uint32 ver, Set memory set) = access.current();
        assertEq(ver, 2);
        assertEq(access.CurrentVer(), 2);
        assertEq(set.market, address(market));
        assertEq(access.addresses(1).market, old.market);
        assertEq(access.addresses(3).market, address(0));
        assertEq(access.marketOf(0), address(0));
        assertEq(access.marketOf(999), old.market);
        assertEq(access.marketOf(1000), address(market));
        assertTrue(access.isMarket(old.market));
        assertTrue(access.isMarket(address(market)));
        assertTrue(registry.isMarket(old.market));
        assertTrue(registry.isMarket(address(market)));
        (address current, bool isPaused) = access.gate();
        assertEq(current, address(market));
        assertFalse(isPaused);
    }

    function test_WhenRegistryAndPledgeAreNewToo_ItIsTheCurrentVersion() public {
        (address oldMarket, Registry oldRegistry) = (address(market), registry);
        deployModules(1000);
        assertEq(access.addresses(2).registry, address(registry));
        assertTrue(oldRegistry.isMarket(oldMarket));
        assertTrue(registry.isMarket(address(market)));
        assertFalse(registry.isMarket(oldMarket), "rights end at the Registry it was published with");
        assertFalse(oldRegistry.isMarket(address(market)));
    }
}
