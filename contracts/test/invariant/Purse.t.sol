// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { Credit } from "../../src/Credit.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { IPurse } from "../../src/interfaces/IPurse.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { PurseBase } from "../purse/PurseBase.sol";

/// @notice An owner, three keys, their providers and strangers, who use one purse in any order.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract Spenders is Test {
    IPurse private immutable _purse;
    IMarketWithLens private immutable _market;
    Credit private immutable _credit;
    address private immutable _owner;
    address private immutable _provider;
    uint256 private constant NODES = 6;
    uint256 private constant USD = 1e18;

    address[3] public keys = [makeAddr("one"), makeAddr("two"), makeAddr("three")];
    /// @notice By grant: what it may have spent at once at the most, what is refilled per day at the most, when it began, and what it paid.
    mapping(uint32 => uint256) public totalOf;
    mapping(uint32 => uint256) public refillOf;
    mapping(uint32 => uint256) public sinceOf;
    mapping(uint32 => uint256) public grossOf;
    uint256 public withdrawn;
    uint256 public tips;
    uint256 public purchases;

    constructor(IPurse purse, IMarketWithLens market, Credit credit, address owner, address provider) {
        (_purse, _market, _credit, _owner, _provider) = (purse, market, credit, owner, provider);
    }

    function grant(uint256 who, uint256 total, uint256 refill) external {
        address key = keys[who % 3];
        IPurse.Limits memory limits = _limits(total, refill);
        uint32 id = _purse.grantOf(key).id;
        vm.prank(_owner);
        if (id == 0) {
            id = _purse.grant(key, limits, new address[](0));
            sinceOf[id] = block.timestamp;
        } else {
            _purse.change(key, limits, new address[](0));
        }
        if (limits.total > totalOf[id]) totalOf[id] = limits.total;
        if (limits.refill > refillOf[id]) refillOf[id] = limits.refill;
    }

    function revoke(uint256 who) external {
        address key = keys[who % 3];
        if (who % 7 != 0 || _purse.grantOf(key).id == 0) return;
        vm.prank(_owner);
        _purse.revoke(key);
    }

    function buy(uint256 who, uint256 node, uint256 months) external {
        address by = _spender(who);
        IMarket.OrderInput memory input = IMarket.OrderInput({
            provider: _provider,
            nodeId: uint64(node % NODES + 1),
            rev: 1,
            duration: uint32(bound(months, 1, 3)) * MONTH,
            maxFee: type(uint256).max,
            conditions: _conditions(),
            app: ""
        });
        uint32 id = by == _owner ? 0 : _purse.grantOf(by).id;
        uint256 before = _paidBy(id);
        vm.prank(by);
        try _purse.buy(input) returns (uint64 orderId) {
            ++purchases;
            if (id != 0) grossOf[id] += _purse.paymentOf(orderId).paid;
        } catch {
            assertEq(_paidBy(id), before, "a failed purchase cost something");
        }
    }

    function extend(uint256 who, uint256 order, uint256 months) external {
        address by = _spender(who);
        uint64 orderId = _order(order);
        uint32 id = _purse.grantOf(by).id;
        uint256 before = _purse.paymentOf(orderId).paid;
        vm.prank(by);
        try _purse.extend(orderId, uint32(bound(months, 1, 3)) * MONTH) {
            if (by != _owner) grossOf[id] += _purse.paymentOf(orderId).paid - before;
            else assertEq(_purse.paymentOf(orderId).paid, before);
        } catch { }
    }

    function end(uint256 who, uint256 order) external {
        uint64 id = _order(order);
        vm.prank(_spender(who));
        try _purse.end(id) { } catch { }
    }

    function reckon(uint256 order) external {
        _purse.reckon(_order(order));
    }

    function activate(uint256 order) external {
        uint64 id = _order(order);
        vm.prank(_provider);
        try _market.activateWithApp(id, "nginx") { } catch { }
    }

    function drop(uint256 order) external {
        if (order % 5 != 0) return;
        uint64 id = _order(order);
        vm.prank(_provider);
        try _market.providerCancel(id) { } catch { }
    }

    function settle(uint256 order) external {
        try _market.proSettle(_order(order)) { } catch { }
    }

    function keep(uint256 order, uint256 tip) external {
        uint64 id = _order(order);
        vm.prank(_owner);
        _purse.keep(id, IPurse.Standing(type(uint96).max, uint96(bound(tip, 0, USD)), type(uint40).max, 24 * 30));
    }

    function renew(uint256 order) external {
        uint64 id = _order(order);
        IPurse.Standing memory standing = _purse.standingOf(id);
        uint256 before = _credit.balanceOf(address(this));
        try _purse.renew(id) { } catch { }
        uint256 tip = _credit.balanceOf(address(this)) - before;
        assertLe(tip, standing.maxTip, "a renewal cost more than its limit");
        tips += tip;
    }

    function withdraw(uint256 amount) external {
        amount = bound(amount, 0, _credit.balanceOf(address(_purse)) / 20);
        vm.prank(_owner);
        _purse.withdraw(address(_credit), amount);
        withdrawn += amount;
    }

    /// @dev A key, or this contract, tries to take money or rights.
    function steal(uint256 who) external {
        address by = keys[who % 3];
        vm.startPrank(by);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, by));
        _purse.withdraw(address(_credit), 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, by));
        _purse.change(by, _limits(type(uint96).max, 0), new address[](0));
        vm.stopPrank();
    }

    function pass(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1 hours, 12 days));
    }

    function _limits(uint256 total, uint256 refill) private view returns (IPurse.Limits memory) {
        return IPurse.Limits({
            total: uint96(bound(total, 0, 3000 * USD)),
            refill: uint96(bound(refill, 0, 100 * USD)),
            maxRate: type(uint96).max,
            maxGpuHour: type(uint96).max,
            maxTerm: type(uint24).max,
            validUntil: uint40(block.timestamp + 400 days),
            rights: 63
        });
    }

    function _conditions() private view returns (IMarket.Conditions memory conditions) {
        IMarket.Params memory now_ = _market.params();
        return IMarket.Conditions(now_.probation, now_.holdback, now_.penalty, now_.commissionBps);
    }

    function _spender(uint256 who) private view returns (address) {
        return who % 4 == 3 ? _owner : keys[who % 4];
    }

    function _order(uint256 order) private view returns (uint64) {
        uint64 last = _market.lastId();
        return last == 0 ? 1 : uint64(last - order % (last < 8 ? last : 8));
    }

    function _paidBy(uint32 id) private view returns (uint256) {
        return id == 0 ? 0 : _purse.grantAt(id).left;
    }
}

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract PurseInvariants is PurseBase {
    uint256 private constant FILLED = 200_000 * USD;
    Spenders private _spenders;

    function setUp() public override {
        super.setUp();
        for (uint256 i; i < 5; ++i) {
            addNode(provider);
        }
        vm.prank(user);
        purse.revoke(key);
        fund(address(purse), FILLED - balance());
        _spenders = new Spenders(purse, market, credit, user, provider);
        targetContract(address(_spenders));
        for (uint256 i; i < 3; ++i) {
            _spenders.grant(i, 1000 * USD, 50 * USD);
        }
    }

    /// @dev One for all, because each invariant has a campaign of its own.
    function invariant_NoGrantSpentMoreThanItAllowsAndNoneLeavesAnAllowance() public view {
        uint256[] memory returned = new uint256[](purse.grants() + 1);
        for (uint64 id = 1; id <= market.lastId(); ++id) {
            IPurse.Payment memory payment = purse.paymentOf(id);
            assertLe(payment.returned, payment.paid, "more came back than was paid");
            returned[payment.grantId] += payment.returned;
        }
        for (uint32 id = 1; id <= purse.grants(); ++id) {
            uint256 spent = _spenders.grossOf(id) - returned[id];
            uint256 time = vm.getBlockTimestamp() - _spenders.sinceOf(id);
            assertLe(spent, _spenders.totalOf(id) + _spenders.refillOf(id) * time / 1 days, "spent more than granted");
            assertLe(purse.grantAt(id).left, purse.grantAt(id).limits.total, "more is left than the total");
        }
        assertEq(credit.allowance(address(purse), address(market)), 0, "an allowance was left");
    }

    function afterInvariant() public view {
        assertGt(_spenders.purchases(), 0, "nobody bought anything");
        _requireMoneyToLeaveOnlyToEscrowTheOwnerAndForTips();
    }

    /// @dev Goes through all orders, and money that went elsewhere does not come back: not checked after every call.
    function _requireMoneyToLeaveOnlyToEscrowTheOwnerAndForTips() private view {
        uint256 paid;
        uint256 refunded;
        for (uint64 id = 1; id <= market.lastId(); ++id) {
            IMarket.Order memory order = market.getOrder(id);
            paid += order.totalValue;
            refunded += order.totalValue - order.remuneration - order.remain;
        }
        uint256 compensated = 1_000_000 * USD - credit.balanceOf(provider) - pledge.pledgeOf(provider);
        uint256 expected = FILLED + refunded + compensated - paid - _spenders.withdrawn() - _spenders.tips();
        assertEq(balance(), expected, "money went elsewhere");
    }
}
