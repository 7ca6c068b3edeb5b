// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Base } from "../../Base.t.sol";

contract MarketProWithdrawToTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenTheTargetIsZero_ItRevertsWithZeroAddress() public {
        vm.expectRevert(IMarket.ZeroAddress.selector);
        vm.prank(provider);
        market.proWithdrawTo(address(0));
    }

    function test_WhenSomethingIsEarned_ItPaysItToTheTarget() public {
        pass(10 days);
        market.proSettle(id);
        vm.expectEmit(address(market));
        emit IMarket.ProviderWithdrawn(provider, operator, 126 * USD);
        vm.prank(provider);
        market.proWithdrawTo(operator);
        assertEq(credit.balanceOf(operator), 126 * USD);
    }
}
