// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketUserCancelWithTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenTheStatementIsBad_ItRevertsWithBadSignature() public {
        pass(2 days);
        bytes memory sig = signDowntime(id, 7200, GENESIS + 2 days);
        vm.expectRevert(IMarket.BadSignature.selector);
        vm.prank(user);
        market.userCancelWith(id, 7201, GENESIS + 2 days, sig);
    }

    function test_WhenTheCallerIsNotTheUser_ItRevertsWithNotUser() public {
        pass(2 days);
        bytes memory sig = signDowntime(id, 7200, GENESIS + 2 days);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotUser.selector, id, stranger));
        vm.prank(stranger);
        market.userCancelWith(id, 7200, GENESIS + 2 days, sig);
    }

    function test_WhenAllHasBecomeFinalMeanwhile_ItCompletesTheOrderInstead() public {
        pass(MONTH + 1 days);
        bytes memory sig = signDowntime(id, 7200, GENESIS + MONTH);
        vm.prank(user);
        market.userCancelWith(id, 7200, GENESIS + MONTH, sig);
        assertEq(uint8(market.getOrder(id).status), uint8(OrderStatus.Completed));
        assertEq(market.earned(provider), 420 * USD);
    }

    function test_WhenTheStatementIsGood_ItTakesTheDowntimeOffBeforeItPays() public {
        pass(2 days);
        bytes memory sig = signDowntime(id, 7200, GENESIS + 2 days);
        uint256 before = credit.balanceOf(user);
        uint256 due = 420 * USD * uint256(2 days - 7200) / MONTH;
        vm.prank(user);
        market.userCancelWith(id, 7200, GENESIS + 2 days, sig);
        assertEq(market.earned(provider), due);
        uint256 twice = 420 * USD * uint256(7200 - 2 days / 200) / MONTH;
        assertEq(credit.balanceOf(user) - before, 420 * USD - due + twice);
    }
}
