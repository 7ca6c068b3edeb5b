// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { Base } from "../Base.t.sol";

/// @notice Gas of whole transactions, including calldata and the 21,000: run with --isolate, written to snapshots/.
contract GasTest is Base {
    uint64 internal nodeId;

    function setUp() public override {
        super.setUp();
        nodeId = openShop();
    }

    function test_Registry() public {
        IRegistry.ProviderInput memory input = providerInput();
        input.name = "rack-two";
        vm.prank(stranger);
        registry.register(input);
        snap("Registry", "register");
        vm.prank(stranger);
        registry.revise(input);
        snap("Registry", "revise");
        vm.prank(stranger);
        registry.updatecp(input);
        snap("Registry", "updatecp");
        vm.prank(stranger);
        registry.setOperator(operator);
        snap("Registry", "setOperator");
        vm.prank(stranger);
        registry.add_node(nodeInput());
        snap("Registry", "add_node, first");
        vm.prank(stranger);
        registry.add_node(nodeInput());
        snap("Registry", "add_node, later");
        vm.prank(stranger);
        registry.updatenode(1, nodeInput());
        snap("Registry", "updatenode");
        vm.prank(stranger);
        registry.setOnline(stranger, 1, false);
        snap("Registry", "setOnline");
        vm.prank(stranger);
        registry.setMinTerm(stranger, 1, 1 days);
        snap("Registry", "setMinTerm");
        vm.prank(stranger);
        registry.del_node(2);
        snap("Registry", "del_node");
        buy(nodeId, MONTH);
        vm.prank(provider);
        registry.set_avail(provider, nodeId, true);
        snap("Registry", "set_avail, first of an order");
        vm.prank(provider);
        registry.set_avail(provider, nodeId, false);
        snap("Registry", "set_avail, false");
    }

    function test_Pledge() public {
        vm.prank(owner);
        pledge.setRate(0.05e18);
        snap("Pledge", "setRate");
        vm.startPrank(stranger);
        credit.approve(address(pledge), type(uint256).max);
        pledge.pledge(address(credit), 10 * USD);
        snap("Pledge", "pledge, first");
        pledge.fundInterest(100 * USD);
        snap("Pledge", "fundInterest");
        vm.stopPrank();
        lockFor(stranger, 1, 10 * USD);
        vm.startPrank(stranger);
        pass(30 days);
        pledge.pledge(address(credit), 10 * USD);
        snap("Pledge", "pledge, later");
        vm.stopPrank();
        vm.prank(owner);
        pledge.announceReclaim(USD);
        snap("Pledge", "announceReclaim");
        vm.startPrank(stranger);
        pass(30 days);
        pledge.updateInterest();
        snap("Pledge", "updateInterest");
        pledge.withdrawInterest();
        snap("Pledge", "withdrawInterest");
        pledge.unpledge(address(credit), 10 * USD);
        snap("Pledge", "unpledge");
        vm.stopPrank();
        vm.prank(owner);
        pledge.reclaimInterest();
        snap("Pledge", "reclaimInterest");
    }

    function test_Access() public {
        vm.prank(guardian);
        access.pause();
        snap("Access", "pause");
        vm.prank(owner);
        access.unpause();
        snap("Access", "unpause");
        vm.prank(owner);
        access.announceRole(IAccess.Role.Guardian, stranger);
        snap("Access", "announceRole");
        vm.prank(owner);
        access.setRole(IAccess.Role.Guardian, stranger);
        snap("Access", "setRole");
        address first = address(market);
        market = newMarket(1000);
        vm.prank(owner);
        access.announce(currentSet());
        snap("Access", "announce");
        vm.prank(owner);
        access.publish(currentSet());
        snap("Access", "publish");
        vm.prank(owner);
        access.retire(first);
        snap("Access", "retire");
    }

    function test_Credit() public {
        vm.prank(owner);
        credit.mint(operator, 10 * USD);
        snap("Credit", "mint");
        vm.prank(operator);
        credit.approve(user, 2 * USD);
        snap("Credit", "approve");
        vm.prank(operator);
        bool moved = credit.transfer(stranger, USD);
        snap("Credit", "transfer");
        assertTrue(moved);
        vm.prank(user);
        moved = credit.transferFrom(operator, stranger, USD);
        snap("Credit", "transferFrom");
        assertTrue(moved);
        vm.prank(user);
        credit.burnFrom(operator, USD);
        snap("Credit", "burnFrom");
        vm.prank(operator);
        credit.burn(USD);
        snap("Credit", "burn");
        IMarket.Permit memory permit = signPermit(USD);
        credit.permit(user, address(market), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        snap("Credit", "permit");
    }

    function test_Gate() public {
        vm.prank(owner);
        usdt.mint(user, 10e6);
        vm.startPrank(user);
        usdt.approve(address(gate), 10e6);
        gate.deposit(5e6, user);
        snap("Gate", "deposit, the first");
        gate.deposit(5e6, user);
        snap("Gate", "deposit, later");
        credit.approve(address(gate), 3 * USD);
        gate.withdraw(3 * USD, user);
        snap("Gate", "withdraw");
        IMarket.Permit memory permit = signPermitFor(address(gate), 2 * USD);
        gate.withdrawWithPermit(permit.value, user, permit.deadline, permit.v, permit.r, permit.s);
        snap("Gate", "withdrawWithPermit");
        vm.stopPrank();
    }

    /// @dev While the pool lasts, every lock and unlock books interest.
    function test_OrdersWhileInterestAccrues() public {
        uint64 second = addNode(provider);
        vm.prank(owner);
        pledge.setRate(0.05e18);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 100 * USD);
        pledge.fundInterest(100 * USD);
        vm.stopPrank();
        activate(buy(nodeId, MONTH));
        pass(1 days);
        uint64 id = buy(second, MONTH);
        snap("Market", "createOrder, later, interest accrues");
        activate(id);
        pass(1 days);
        vm.prank(user);
        market.userCancel(id);
        snap("Market", "userCancel, interest accrues");
    }

    function test_Orders() public {
        uint64 second = addNode(provider);
        uint64 third = addNode(provider);
        uint64 fourth = addNode(provider);
        uint64 first = buy(nodeId, MONTH);
        snap("Market", "createOrder, the user's first");
        uint64 cancelled = buy(second, MONTH);
        snap("Market", "createOrder, later");
        IMarket.OrderInput memory unnamed = orderInput(third, MONTH);
        unnamed.app = "";
        uint64 dropped = buy(unnamed);
        snap("Market", "createOrder, later, app not named yet");
        buyWithPermit(orderInput(fourth, MONTH));
        snap("Market", "createOrderWithPermit, later");
        activate(first);
        snap("Market", "activate");
        activate(cancelled);
        activate(dropped);
        vm.prank(user);
        market.userConfirm(first);
        snap("Market", "userConfirm");
        vm.prank(user);
        market.setApp(dropped, "facefusion");
        snap("Market", "setApp, first");
        vm.prank(user);
        market.setApp(dropped, "nginx");
        snap("Market", "setApp, later");
        pass(3 days);
        market.proSettle(first);
        snap("Market", "proSettle, the provider's first");
        pass(1 days);
        market.proSettle(first);
        snap("Market", "proSettle, repeat");
        uint64[] memory ids = new uint64[](3);
        (ids[0], ids[1], ids[2]) = (first, cancelled, dropped);
        pass(1 days);
        market.proSettleMany(ids);
        snap("Market", "proSettleMany, three orders");
        pass(1 hours);
        market.creditDowntime(first, 600, uint40(vm.getBlockTimestamp()), signDowntime(first, 600, uint40(vm.getBlockTimestamp())));
        snap("Market", "creditDowntime");
        vm.startPrank(user);
        credit.approve(address(market), 420 * USD);
        market.extend(first, MONTH);
        snap("Market", "extend");
        vm.stopPrank();
        vm.prank(user);
        market.userCancel(cancelled);
        snap("Market", "userCancel");
        vm.prank(provider);
        market.providerCancel(dropped);
        snap("Market", "providerCancel");
        vm.prank(provider);
        market.proWithdraw();
        snap("Market", "proWithdraw");
        pass(60 days);
        market.release(first);
        snap("Market", "release, past its end");
        market.proSettle(first);
        snap("Market", "proSettle, completing after release");
    }

    function test_ActivateWithApp() public {
        vm.prank(provider);
        registry.setOperator(operator);
        uint64 named = buy(nodeId, MONTH);
        vm.prank(operator);
        market.activateWithApp(named, "nginx");
        snap("Market", "activateWithApp, app named at the purchase");
        IMarket.OrderInput memory input = orderInput(addNode(provider), MONTH);
        input.app = "";
        uint64 unnamed = buy(input);
        vm.prank(operator);
        market.activateWithApp(unnamed, "nginx");
        snap("Market", "activateWithApp, app named now");
        vm.prank(operator);
        registry.set_avail(provider, nodeId, false);
        vm.prank(operator);
        market.activateWithApp(named, "facefusion");
        snap("Market", "activateWithApp, deployed again");
    }

    function test_Moving() public {
        uint64 id = buy(nodeId, MONTH);
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
        pass(5 days);
        IMarketWithLens old = market;
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        vm.prank(user);
        old.move(id, agreed(initialParams()));
        snap("Market", "move");
    }

    function test_CompletingInOne() public {
        uint64 id = buy(nodeId, MONTH);
        activate(id);
        pass(5 days);
        market.proSettle(id);
        pass(40 days);
        market.proSettle(id);
        snap("Market", "proSettle, completing");
    }

    function test_CancelWithStatement() public {
        uint64 id = buy(nodeId, MONTH);
        activate(id);
        pass(5 days);
        market.proSettle(id);
        pass(1 days);
        uint40 asOf = uint40(vm.getBlockTimestamp());
        bytes memory sig = signDowntime(id, 600, asOf);
        vm.prank(user);
        market.userCancelWith(id, 600, asOf, sig);
        snap("Market", "userCancelWith");
    }

    function test_ClosingForDowntime() public {
        uint64 id = buy(nodeId, MONTH);
        activate(id);
        pass(5 days);
        report(id, 0);
        for (uint32 away = 8 hours; away <= 24 hours; away += 8 hours) {
            pass(8 hours);
            report(id, away);
        }
        market.closeForDowntime(id);
        snap("Market", "closeForDowntime");
    }

    function test_WhatWasPending() public {
        uint64 id = buy(nodeId, MONTH);
        activate(id);
        pass(5 days);
        market.proSettle(id);
        pass(1 days);
        vm.prank(user);
        market.userCancel(id);
        snap("Market", "userCancel, settled before");
        pass(24 hours);
        market.proSettle(id);
        snap("Market", "proSettle, what was pending");
    }

    function test_ReleaseOfAnOrderNotActivated() public {
        uint64 id = buy(nodeId, MONTH);
        pass(25 hours);
        market.release(id);
        snap("Market", "release, not activated");
    }

    function test_Treasury() public {
        vm.startPrank(stranger);
        credit.approve(address(market), type(uint256).max);
        market.fundRewards(100 * USD);
        snap("Market", "fundRewards");
        vm.stopPrank();
        bytes memory sig = signVoucher(user, USD, 0, type(uint256).max);
        vm.prank(user);
        market.withdraw(USD, sig);
        snap("Market", "withdraw (voucher)");
        vm.prank(owner);
        market.setCommissionBps(500);
        snap("Market", "setCommissionBps");
        uint64 id = buy(nodeId, MONTH);
        activate(id);
        pass(10 days);
        market.proSettle(id);
        vm.prank(treasury);
        market.takeCommission();
        snap("Market", "takeCommission");
        vm.prank(provider);
        market.proWithdrawTo(stranger);
        snap("Market", "proWithdrawTo");
    }

    function test_Parameters() public {
        vm.startPrank(owner);
        market.setProbation(1 hours);
        snap("Market", "setProbation");
        market.setPenalty(48 hours);
        snap("Market", "setPenalty");
        market.setHoldback(48 hours);
        snap("Market", "setHoldback");
        market.setInterestShare(2000);
        snap("Market", "setInterestShare");
        market.setMonitorShare(2000);
        snap("Market", "setMonitorShare");
        market.setRewardDayCap(USD);
        snap("Market", "setRewardDayCap");
    }

    function test_ExtendWithPermit() public {
        uint64 id = buy(nodeId, MONTH);
        activate(id);
        pass(5 days);
        IMarket.Permit memory permit = signPermit(market.fee(id, MONTH));
        vm.prank(user);
        market.extendWithPermit(id, MONTH, permit);
        snap("Market", "extendWithPermit");
    }

    function test_Ownership() public {
        Ownable2Step[3] memory owned = [Ownable2Step(access), Ownable2Step(pledge), Ownable2Step(credit)];
        string[3] memory groups = ["Access", "Pledge", "Credit"];
        for (uint256 i = 0; i < owned.length; ++i) {
            vm.prank(owner);
            owned[i].transferOwnership(stranger);
            snap(groups[i], "transferOwnership");
            vm.prank(stranger);
            owned[i].acceptOwnership();
            snap(groups[i], "acceptOwnership");
        }
    }

    function buyWithPermit(IMarket.OrderInput memory input) internal returns (uint64 id) {
        (uint256 fee,) = market.feeOrder(input.provider, input.nodeId, input.duration);
        IMarket.Permit memory permit = signPermit(fee);
        vm.prank(user);
        id = market.createOrderWithPermit(input, permit);
    }

    function snap(string memory group, string memory name) internal {
        vm.snapshotGasLastCall(group, name);
    }
}
