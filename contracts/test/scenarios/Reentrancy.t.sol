// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Credit } from "../../src/Credit.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IMarketOffice } from "../../src/interfaces/IMarketOffice.sol";
import { IPledge } from "../../src/interfaces/IPledge.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Base } from "../Base.t.sol";
import { ReentrantCredit } from "../fixtures/ReentrantCredit.sol";

/// @notice A token that calls back during any transfer finds every order closed and every balance written, and gains nothing.
contract ReentrancyTest is Base {
    ReentrantCredit internal evil;
    uint64 internal id;
    uint64 internal other;

    function setUp() public override {
        super.setUp();
        evil = new ReentrantCredit(owner);
        credit = Credit(address(evil));
        deployModules(1000);
        vm.startPrank(owner);
        credit.mint(user, 1_000_000 * USD);
        credit.mint(provider, 1_000_000 * USD);
        market.setCommissionBps(1000);
        vm.stopPrank();
        uint64 nodeId = openShop();
        id = buy(nodeId, MONTH);
        other = buy(addNode(provider), MONTH);
        activate(id);
        activate(other);
        pass(10 days);
    }

    function test_SettlingDuringTheRefundOfACancel() public {
        attack(abi.encodeCall(IMarket.proSettle, (id)));
        vm.prank(user);
        market.userCancel(id);
        assertEq(evil.reentered(), 1, "what is pending is not decided");
        requireClosedOnce();
    }

    function test_SettlingDuringTheRefundOfWhatWasPending() public {
        vm.prank(user);
        market.userCancel(id);
        attack(abi.encodeCall(IMarket.proSettle, (id)));
        report(id, 3600);
        assertEq(evil.refused(), 1, "it is decided already");
        requireClosedOnce();
    }

    function test_ReleasingDuringTheRefundOfACancel() public {
        attack(abi.encodeCall(IMarket.release, (id)));
        vm.prank(user);
        market.userCancel(id);
        assertEq(evil.reentered(), 1);
        requireClosedOnce();
    }

    function test_SettlingManyDuringTheRefundOfACancel() public {
        uint64[] memory ids = new uint64[](2);
        (ids[0], ids[1]) = (id, other);
        attack(abi.encodeCall(IMarket.proSettleMany, (ids)));
        vm.prank(user);
        market.userCancel(id);
        assertEq(evil.reentered(), 1);
        requireClosedOnce();
    }

    function test_SettlingDuringACancelOfTheProvider() public {
        attack(abi.encodeCall(IMarket.proSettle, (id)));
        vm.prank(provider);
        market.providerCancel(id);
        assertEq(evil.reentered(), 1, "what is pending waits");
        assertEq(pledge.pledgeOf(provider), 986 * USD);
        requireClosedOnce();
    }

    function test_SettlingDuringAWithdrawal() public {
        market.proSettle(id);
        attack(abi.encodeCall(IMarket.proSettle, (other)));
        vm.prank(provider);
        market.proWithdraw();
        assertEq(evil.reentered(), 1);
        assertEq(market.earned(provider), 126 * USD * 9 / 10, "what was settled meanwhile");
        requireSolvent();
    }

    function test_ReplayingAStatementDuringACancelWithIt() public {
        uint40 asOf = uint40(vm.getBlockTimestamp());
        bytes memory sig = signDowntime(id, 3600, asOf);
        attack(abi.encodeCall(IMarket.creditDowntime, (id, 3600, asOf, sig)));
        vm.prank(user);
        market.userCancelWith(id, 3600, asOf, sig);
        assertEq(evil.refused(), 1);
        requireClosedOnce();
    }

    function test_SettlingDuringAPurchase() public {
        uint64 nodeId = addNode(provider);
        attack(abi.encodeCall(IMarket.proSettle, (id)));
        uint64 bought = buy(nodeId, MONTH);
        assertEq(evil.reentered(), 1);
        assertEq(registry.get_node(provider, nodeId).orderId, bought);
        requireSolvent();
    }

    function test_BuyingDuringTheRefundOfAnOrderThatAPurchaseReleases() public {
        (uint64 stale, uint64 free) = (addNode(provider), addNode(provider));
        uint64 expired = buy(stale, MONTH);
        pass(25 hours);
        fundEvil();
        IMarket.OrderInput memory input = orderInput(free, MONTH);
        input.conditions = agreed(market.params());
        attack(abi.encodeCall(IMarket.createOrder, (input)));
        uint64 bought = buy(stale, MONTH);
        assertEq(evil.reentered(), 1);
        assertEq(uint8(market.getOrder(expired).status), uint8(OrderStatus.ProviderCancelled));
        assertEq(registry.get_node(provider, stale).orderId, bought);
        assertEq(registry.get_node(provider, free).orderId, bought - 1, "each has an id of its own");
        assertEq(market.getOrder(bought).user, user);
        assertEq(market.getOrder(bought - 1).user, address(evil));
        requireSolvent();
    }

    function test_BookingInterestDuringEveryMoveOfAPledge() public {
        vm.startPrank(provider);
        credit.approve(address(pledge), type(uint256).max);
        pledge.fundInterest(10 * USD);
        evil.arm(address(pledge), abi.encodeCall(IPledge.updateInterest, ()));
        pledge.pledge(address(credit), 5 * USD);
        evil.arm(address(pledge), abi.encodeCall(IPledge.updateInterest, ()));
        pledge.unpledge(address(credit), 5 * USD);
        assertEq(evil.reentered(), 2);
        assertEq(credit.balanceOf(address(pledge)), pledge.totalPledged() + pledge.pool() + pledge.owed());
    }

    /// @notice The token itself has pledged, and withdraws the pledge during the transfer that returns it.
    function test_TakingAPledgeBackWhileItIsPaidBack() public {
        pledgeAsEvil(5 * USD);
        evil.arm(address(pledge), abi.encodeCall(IPledge.unpledge, (address(credit), 5 * USD)));
        vm.prank(address(evil));
        pledge.unpledge(address(credit), 5 * USD);
        assertEq(evil.refused(), 1, "it is booked already");
        requirePledgesBalance();
    }

    function test_WithdrawingInterestWhileItIsPaid() public {
        pledgeAsEvil(5 * USD);
        vm.startPrank(provider);
        credit.approve(address(pledge), 10 * USD);
        pledge.fundInterest(10 * USD);
        vm.stopPrank();
        vm.prank(owner);
        pledge.setRate(1e18);
        lockFor(address(evil), id, 5 * USD);
        pass(30 days);
        evil.arm(address(pledge), abi.encodeCall(IPledge.withdrawInterest, ()));
        vm.prank(address(evil));
        pledge.withdrawInterest();
        assertEq(evil.refused(), 1, "it is booked already");
        requirePledgesBalance();
    }

    function test_TakingCommissionWhileItIsPaid() public {
        market.proSettle(id);
        vm.prank(owner);
        access.setRole(IAccess.Role.Treasury, address(evil));
        attack(abi.encodeCall(IMarketOffice.takeCommission, ()));
        vm.prank(address(evil));
        market.takeCommission();
        assertEq(evil.refused(), 1, "it is booked already");
        requireSolvent();
    }

    function pledgeAsEvil(uint256 amount) internal {
        fundEvil();
        vm.startPrank(address(evil));
        credit.approve(address(pledge), amount);
        pledge.pledge(address(credit), amount);
        vm.stopPrank();
    }

    function requirePledgesBalance() internal view {
        assertEq(credit.balanceOf(address(pledge)), pledge.totalPledged() + pledge.pool() + pledge.owed());
    }

    function fundEvil() internal {
        vm.prank(owner);
        credit.mint(address(evil), 1_000_000 * USD);
        vm.prank(address(evil));
        credit.approve(address(market), type(uint256).max);
    }

    function attack(bytes memory call_) internal {
        evil.arm(address(market), call_);
    }

    function requireClosedOnce() internal {
        if (market.getOrder(id).pendingUntil != 0) {
            requireSolvent();
            pass(24 hours);
            market.proSettle(id);
        }
        IMarket.Order memory o = market.getOrder(id);
        assertTrue(o.status == OrderStatus.UserCancelled || o.status == OrderStatus.ProviderCancelled);
        assertEq(o.remain, 0);
        requireSolvent();
    }

    function requireSolvent() internal view {
        uint256 owed = market.escrow() + market.earned(provider) + market.commission() + market.rewards();
        assertEq(credit.balanceOf(address(market)), owed);
    }
}
