// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IPurse } from "../../src/interfaces/IPurse.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { PurseBase } from "../purse/PurseBase.sol";

/// @notice Gas of a purse's transactions, like {GasTest}.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract PurseGasTest is PurseBase {
    uint96 private constant PER_GPU_HOUR = uint96(1e18);

    function snap(string memory name) private {
        vm.snapshotGasLastCall("Purse", name);
    }

    function test_Purse() public {
        vm.prank(stranger);
        factory.create(stranger);
        vm.snapshotGasLastCall("PurseFactory", "create");
        uint64 second = addNode(provider);
        uint64 third = addNode(provider);
        vm.startPrank(user);
        IPurse.Limits memory wanted = limits();
        purse.grant(stranger, wanted, listOf(provider));
        snap("grant, one provider");
        (wanted.total, wanted.maxGpuHour) = (uint96(5000 * USD), PER_GPU_HOUR);
        purse.change(key, wanted, new address[](0));
        snap("change");
        purse.revoke(stranger);
        snap("revoke");
        vm.stopPrank();

        uint64 first = buyFor(key);
        snap("buy, the purse's first");
        uint64 later = buyFor(key, second, MONTH);
        snap("buy, later");
        buyOnceFor(key, "job 12", addNode(provider));
        snap("buyOnce");
        buyOnceFor(key, "job 12", third);
        snap("buyOnce, again");
        uint64 owned = buyFor(user, third, MONTH);
        snap("buy, by the owner");
        vm.prank(user);
        purse.assign(owned, key);
        snap("assign");
        vm.startPrank(provider);
        market.activate(first);
        market.activateWithApp(later, "nginx");
        market.activate(owned);
        vm.stopPrank();
        vm.prank(key);
        purse.extend(first, MONTH);
        snap("extend");
        vm.prank(user);
        purse.keep(owned, IPurse.Standing(NO_LIMIT, uint96(USD), GENESIS + 300 days, 720));
        snap("keep");
        pass(29.5 days);
        vm.prank(stranger);
        purse.renew(owned);
        snap("renew");
        vm.prank(key);
        purse.end(later);
        snap("end");
        pass(1 days);
        market.proSettle(later);
        purse.reckon(later);
        snap("reckon, nothing came back");
        vm.startPrank(user);
        purse.withdraw(address(credit), USD);
        snap("withdraw");
        vm.stopPrank();
    }

    function test_PurseDeposits() public {
        vm.prank(owner);
        usdt.mint(address(gate), 100e6);
        vm.prank(user);
        purse.withdrawUsdt(USD);
        snap("withdrawUsdt");
        IMarket.Permit memory permit = signPermitFor(address(purse), USD);
        vm.prank(user);
        purse.depositWithPermit(permit.value, permit.deadline, permit.v, permit.r, permit.s);
        snap("depositWithPermit");
        vm.prank(owner);
        usdt.mint(address(purse), 1e6);
        purse.depositUsdt();
        snap("depositUsdt");
    }

    function test_PurseMoves() public {
        uint64 id = runFor(key);
        pass(5 days);
        market = newMarket(1000);
        vm.prank(owner);
        access.publish(currentSet());
        vm.prank(key);
        purse.move(id, agreed(initialParams()));
        snap("move");
    }
}
