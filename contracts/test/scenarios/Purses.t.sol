// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IPurse } from "../../src/interfaces/IPurse.sol";
import { MIN_DURATION, MONTH } from "../../src/types/Constants.sol";
import { PurseBase } from "../purse/PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract PursesTest is PurseBase {
    uint256 private constant KEYS = 20;
    uint256 private constant PURCHASES = 1000;

    function test_AThousandPurchasesByTwentyKeys_NoneIsCountedTwiceNoneIsLost() public {
        fund(address(purse), 100_000 * USD);
        uint64[] memory nodes = new uint64[](KEYS);
        address[] memory keys = new address[](KEYS);
        for (uint256 i; i < KEYS; ++i) {
            nodes[i] = i == 0 ? nodeId : addNode(provider);
            keys[i] = makeAddr(string.concat("key ", vm.toString(i)));
            give(keys[i], withTotal(2000 * USD));
        }
        uint64[] memory open = new uint64[](KEYS);
        uint256[] memory spent = new uint256[](KEYS);
        uint256 held = balance();
        uint256 seed = uint256(keccak256("purchases"));
        for (uint256 bought; bought < PURCHASES; ++bought) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 who = seed % KEYS;
            if (open[who] != 0) {
                pass(seed % 5 hours);
                endFor(keys[who], open[who]);
                // The pledge is enough for few more than are open.
                market.proSettleMany(only(open[who]));
                uint256 used = market.getOrder(open[who]).remuneration + market.getOrder(open[who]).remain;
                spent[who] += used;
                held -= used;
                // A start that its provider missed for a day: the price of an hour, out of the pledge.
                if (market.getOrder(open[who]).status == OrderStatus.ProviderCancelled) held += RATE / 720;
                open[who] = 0;
            }
            if (leftOf(keys[who]) < RATE) continue;
            uint64 id = buyFor(keys[who], nodes[who], MONTH);
            assertEq(id, market.lastId());
            if (seed >> 128 & 1 == 1) {
                vm.prank(provider);
                market.activateWithApp(id, "nginx");
            }
            open[who] = id;
        }
        assertEq(market.lastId(), PURCHASES);
        for (uint256 i; i < KEYS; ++i) {
            if (open[i] != 0) held -= RATE;
            assertEq(leftOf(keys[i]), 2000 * USD - spent[i] - (open[i] == 0 ? 0 : RATE));
        }
        assertEq(balance(), held);
    }

    function only(uint64 id) private pure returns (uint64[] memory ids) {
        ids = new uint64[](1);
        ids[0] = id;
    }

    function test_ThirtyRenewalsWithoutTheOwner_CostTheirPriceToTheWei() public {
        uint24 step = uint24((MIN_DURATION > 1 days ? MIN_DURATION : 1 days) / 1 hours);
        uint32 term = uint32(step) * 1 hours;
        fund(address(purse), 100_000 * USD);
        uint64 id = buyFor(user, nodeId, term);
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
        uint256 last = GENESIS + 31 * uint256(term);
        vm.prank(user);
        purse.keep(id, IPurse.Standing(uint96(RATE), uint96(USD), uint40(last), step));

        uint256 window = term / 4 < 1 days ? term / 4 : 1 days;
        uint256 held = balance();
        uint256 tips;
        for (uint256 i = 1; i <= 30; ++i) {
            // Somebody comes when a 30th more of the tip is enough each time.
            vm.warp(GENESIS + i * term - window + window * i / 31);
            tips += window * i / 31 * USD / window;
            vm.prank(stranger);
            purse.renew(id);
        }
        assertEq(market.getOrder(id).duration, 31 * uint256(term));
        assertEq(market.getOrder(id).totalValue, RATE * 31 * term / MONTH);
        assertEq(held - balance(), RATE * 31 * term / MONTH - RATE * term / MONTH + tips);
        vm.warp(last - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NothingToRenew.selector, id));
        purse.renew(id);
        vm.warp(last + 1 days);
        market.proSettle(id);
        assertEq(market.earned(provider), RATE * 31 * term / MONTH);
    }
}
