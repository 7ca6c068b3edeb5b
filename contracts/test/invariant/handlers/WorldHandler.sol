// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { MarketState } from "../../../src/market/MarketState.sol";
import { Set } from "../../../src/types/Set.sol";
import { NewMarket } from "../../fixtures/NewMarket.sol";
import { OrderChecks } from "./OrderChecks.sol";

/// @notice Time, pauses, versions, parameters and gifts.
abstract contract WorldHandler is OrderChecks {
    uint256 private constant MAX_VERSIONS = 3;
    uint256 private constant ID_GAP = 1000;

    uint256 public pausedAt;

    function passSeconds(uint256 time) external step {
        vm_.warp(vm_.getBlockTimestamp() + bound(time, 1, 2 hours));
    }

    function passDays(uint256 time) external step {
        vm_.warp(vm_.getBlockTimestamp() + bound(time, 1 hours, 12 days));
    }

    function pause(uint256 seed) external step {
        if (seed % 6 != 0) return;
        uint256 now_ = vm_.getBlockTimestamp();
        bool may = pausedAt == 0 || now_ >= pausedAt + 30 days;
        vm_.prank(guardian);
        try access.pause() {
            assertTrue(may);
            pausedAt = now_;
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function unpause() external step {
        bool paused = access.paused();
        vm_.prank(owner);
        try access.unpause() {
            assertTrue(paused);
        } catch {
            _forget();
            assertFalse(paused);
        }
    }

    function publish(uint256 seed) external step {
        if (markets.length == MAX_VERSIONS || seed % 4 != 0) return;
        IMarketWithLens old = current();
        IMarket.Params memory params = old.params();
        // a campaign publishes a handful of Markets
        // forge-lint: disable-next-line(unsafe-typecast)
        uint32 first = uint32(markets.length * ID_GAP);
        IMarketWithLens market =
            NewMarket.deploy(MarketState.Modules(address(access), address(registry), address(pledge), address(credit), first), params);
        vm_.prank(owner);
        access.publish(Set({ registry: address(registry), pledge: address(pledge), market: address(market), credit: address(credit) }));
        markets.push(market);
        for (uint256 i = 0; i < users.length; ++i) {
            vm_.prank(users[i]);
            credit.approve(address(market), type(uint256).max);
            vm_.prank(providers[i]);
            credit.approve(address(market), type(uint256).max);
        }
    }

    function retire(uint256 seed) external step {
        IMarketWithLens market = _market(seed);
        bool may = access.isMarket(address(market)) && market != current() && market.escrow() == 0;
        vm_.prank(owner);
        try access.retire(address(market)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function setParams(uint256 seed) external step {
        IMarketWithLens market = current();
        vm_.startPrank(owner);
        market.setHoldback(0);
        market.setPenalty(uint32(bound(seed >> 8, 0, 168) * 1 hours));
        market.setHoldback(uint32(bound(seed >> 16, 0, market.params().penalty / 1 hours) * 1 hours));
        market.setProbation(uint32(bound(seed >> 24, 0, 1 hours)));
        market.setCommissionBps(uint16(bound(seed >> 48, 0, 1000)));
        market.setRewardDayCap(bound(seed >> 64, 0, 200 * USD));
        vm_.stopPrank();
    }

    function donate(uint256 seed, uint256 amount) external step {
        address target = seed % 2 == 0 ? address(current()) : address(pledge);
        amount = bound(amount, 1, 10);
        vm_.prank(owner);
        credit.mint(target, amount);
        donated[target] += amount;
    }
}
