// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketQuoteCancelTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        market.setCommissionBps(333);
        id = running();
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.quoteCancel(7, false);
    }

    function test_WhenTheOrderIsClosed_ItRevertsWithWrongStatus() public {
        vm.prank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.quoteCancel(id, true);
    }

    function test_WhenTheProviderCouldNotCancelAnyMore_ItRevertsWithOrderEnded() public {
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderEnded.selector, id, GENESIS + MONTH));
        market.quoteCancel(id, true);
    }

    function testFuzz_WhenTheUserCancelsAtAnyTime_ItSaysWhatTheCancelDoes(uint32 time, bool deployed) public {
        pass(bound(time, 0, 2 * MONTH));
        vm.prank(provider);
        registry.set_avail(provider, 1, deployed);
        (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation, uint256 pending) = market.quoteCancel(id, false);
        uint256 before = credit.balanceOf(user);
        vm.prank(user);
        market.userCancel(id);
        assertEq(credit.balanceOf(user) - before, toUser);
        if (pending != 0) market.proSettle(id);
        assertEq(market.earned(provider), toProvider);
        assertEq(market.commission(), commission);
        assertEq(compensation, 0);
        assertEq(market.getOrder(id).remain, pending);
        assertEq(toUser + toProvider + commission + pending, 420 * USD);
    }

    function testFuzz_WhenTheProviderCancelsAtAnyTime_ItSaysWhatTheCancelDoes(uint32 time, uint256 rest) public {
        vm.prank(provider);
        pledge.unpledge(address(credit), bound(rest, 1, 986 * USD));
        pass(bound(time, 0, MONTH - 1));
        (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation, uint256 pending) = market.quoteCancel(id, true);
        uint256 before = credit.balanceOf(user);
        uint256 pledged = pledge.pledgeOf(provider);
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(credit.balanceOf(user) - before, toUser);
        assertEq(market.earned(provider), toProvider);
        assertEq(market.commission(), commission);
        assertEq(pledged - pledge.pledgeOf(provider), compensation);
        assertEq(market.getOrder(id).remain, pending);
        assertEq(toUser + toProvider + commission + pending, 420 * USD + compensation);
    }
}
