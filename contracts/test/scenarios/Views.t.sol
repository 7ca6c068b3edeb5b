// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { MarketState } from "../../src/market/MarketState.sol";
import { Base } from "../Base.t.sol";
import { NewMarket } from "../fixtures/NewMarket.sol";
import { WritableMarket } from "../fixtures/WritableMarket.sol";

/// @notice Lists that are not stored are gone through by the views that tell them: that has to fit into a call of 50M gas.
contract ViewsTest is Base {
    uint256 internal constant CALL = 50_000_000;
    uint256 internal constant MANY = 10_000;

    function test_TenThousandOrdersAreGoneThroughInOneCall() public {
        IMarketWithLens full = fullMarket(MANY);
        vm.cool(address(full));
        (uint64[] memory ids, uint64 next) = full.getKeys{ gas: CALL }(user, 0, 200);
        assertEq(abi.encode(ids, next), abi.encode(oldest(), 0));
        vm.cool(address(full));
        (ids, next) = full.getProList{ gas: CALL }(provider, 0, 200);
        assertEq(abi.encode(ids, next), abi.encode(oldest(), 0));
    }

    function test_MoreOrdersAreGoneThroughInPages() public {
        IMarketWithLens full = fullMarket(2 * MANY + 1);
        uint64 cursor = 0;
        for (uint256 page = 0; page < 2; ++page) {
            vm.cool(address(full));
            (uint64[] memory none, uint64 next) = full.getKeys{ gas: CALL }(user, cursor, 200);
            assertEq(none.length, 0);
            assertEq(next, 2 * MANY + 1 - (page + 1) * MANY);
            cursor = next;
        }
        (uint64[] memory ids, uint64 end) = full.getKeys{ gas: CALL }(user, cursor, 200);
        assertEq(abi.encode(ids, end), abi.encode(oldest(), 0));
    }

    /// @dev The first order is `user`'s and `provider`'s, all others are not.
    function fullMarket(uint256 count) private returns (IMarketWithLens) {
        MarketState.Modules memory modules = MarketState.Modules(address(access), address(registry), address(pledge), address(credit), 1);
        WritableMarket writable = new WritableMarket(modules, NewMarket.officeFor(modules));
        // At most 20,001.
        // forge-lint: disable-next-line(unsafe-typecast)
        writable.fill(uint32(count), user, provider, stranger);
        return IMarketWithLens(address(writable));
    }

    function oldest() private pure returns (uint64[] memory ids) {
        ids = new uint64[](1);
        ids[0] = 1;
    }
}
