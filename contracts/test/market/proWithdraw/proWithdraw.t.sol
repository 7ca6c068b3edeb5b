// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketProWithdrawTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenNothingIsEarned_ItRevertsWithNothingToWithdraw() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NothingToWithdraw.selector, provider));
        vm.prank(provider);
        market.proWithdraw();
    }

    function test_WhenSomethingIsEarned_ItPaysItAllOnce() public {
        pass(10 days);
        market.proSettle(id);
        uint256 before = credit.balanceOf(provider);
        vm.expectEmit(address(market));
        emit IMarket.ProviderWithdrawn(provider, provider, 126 * USD);
        vm.prank(provider);
        assertEq(market.proWithdraw(), 126 * USD);
        assertEq(credit.balanceOf(provider) - before, 126 * USD);
        assertEq(market.earned(provider), 0);
    }
}
