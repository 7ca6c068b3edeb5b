// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { StdAssertions } from "forge-std/StdAssertions.sol";
import { StdUtils } from "forge-std/StdUtils.sol";
import { Vm } from "forge-std/Vm.sol";
import { Access } from "../../src/Access.sol";
import { Credit } from "../../src/Credit.sol";
import { Market } from "../../src/Market.sol";
import { Pledge } from "../../src/Pledge.sol";
import { Registry } from "../../src/Registry.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { Accrual } from "../../src/libraries/Accrual.sol";
import { MAX_DURATION, MIN_PLEDGE, MONTH, START } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Set } from "../../src/types/Set.sol";
import { Replay } from "./Replay.sol";

/// @notice Three buyers, three providers, time, pauses, parameters and versions at random.
/// Whoever should succeed must, whoever should fail must: a call that goes otherwise ends the campaign.
contract Handler is StdAssertions, StdUtils {
    uint256 internal constant USD = 1e18;
    uint256 internal constant MAX_NODES = 4;
    uint256 internal constant MAX_VERSIONS = 3;
    uint256 internal constant ID_GAP = 1000;
    Vm internal constant vm_ = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    struct Actors {
        address owner;
        address guardian;
        address treasury;
        uint256 validatorKey;
        address[] users;
        address[] providers;
    }

    Access public immutable access;
    Credit public immutable credit;
    Registry public immutable registry;
    Pledge public immutable pledge;
    Replay public immutable replay;
    address internal immutable owner;
    address internal immutable guardian;
    address internal immutable treasury;
    uint256 internal immutable validatorKey;
    address[] public users;
    address[] public providers;
    Market[] public markets;

    // What the invariants compare with the state of the contracts.
    mapping(address account => uint256) public granted;
    mapping(address account => uint256) public vouched;
    mapping(address account => bool) public compensated;
    mapping(address target => uint256) public donated;
    mapping(uint64 id => bytes32) public fixedHash;
    mapping(uint64 id => OrderStatus) public statusOf;
    mapping(uint64 id => uint256) public remunerationOf;
    mapping(uint64 id => uint40) public settledOf;
    mapping(uint64 id => bool) public closedFree;
    mapping(uint256 day => mapping(address market => uint256)) public vouchedOnDay;
    uint256 public steps;

    constructor(Access access_, Credit credit_, Registry registry_, Pledge pledge_, Market market_, Actors memory actors) {
        (access, credit, registry, pledge) = (access_, credit_, registry_, pledge_);
        (owner, guardian, treasury, validatorKey) = (actors.owner, actors.guardian, actors.treasury, actors.validatorKey);
        markets.push(market_);
        for (uint256 i = 0; i < actors.users.length; ++i) {
            users.push(actors.users[i]);
            granted[actors.users[i]] = credit.balanceOf(actors.users[i]);
            vm_.prank(actors.users[i]);
            credit.approve(address(market_), type(uint256).max);
        }
        for (uint256 i = 0; i < actors.providers.length; ++i) {
            providers.push(actors.providers[i]);
            granted[actors.providers[i]] = credit.balanceOf(actors.providers[i]);
            vm_.startPrank(actors.providers[i]);
            credit.approve(address(pledge_), type(uint256).max);
            credit.approve(address(market_), type(uint256).max);
            vm_.stopPrank();
        }
        replay = new Replay();
    }

    /// @notice Records what the call logs, replays it, and checks every order that it may have touched.
    modifier step() {
        ++steps;
        vm_.recordLogs();
        _;
        replay.apply_(vm_.getRecordedLogs(), uint40(vm_.getBlockTimestamp()));
        _checkOrders();
    }

    // ---- time, roles, versions

    function passSeconds(uint256 time) external step {
        vm_.warp(vm_.getBlockTimestamp() + bound(time, 1, 2 hours));
    }

    function passDays(uint256 time) external step {
        vm_.warp(vm_.getBlockTimestamp() + bound(time, 1 hours, 12 days));
    }

    function pause(uint256 seed) external step {
        if (seed % 6 != 0) return;
        vm_.prank(guardian);
        try access.pause() { }
        catch {
            _forget();
        }
    }

    function unpause() external step {
        bool paused = access.paused();
        vm_.prank(owner);
        try access.unpause() {
            assertTrue(paused);
        } catch {
            _forget();
            assertFalse(paused);
        }
    }

    function publish(uint256 seed) external step {
        if (markets.length == MAX_VERSIONS || seed % 4 != 0) return;
        Market old = current();
        IMarket.Params memory params = old.params();
        Market market =
        // a campaign publishes a handful of Markets
        // forge-lint: disable-next-line(unsafe-typecast)
        new Market(address(access), address(registry), address(pledge), address(credit), uint32(markets.length * ID_GAP), params);
        vm_.prank(owner);
        access.publish(Set({ registry: address(registry), pledge: address(pledge), market: address(market), credit: address(credit) }));
        markets.push(market);
        for (uint256 i = 0; i < users.length; ++i) {
            vm_.prank(users[i]);
            credit.approve(address(market), type(uint256).max);
            vm_.prank(providers[i]);
            credit.approve(address(market), type(uint256).max);
        }
    }

    function retire(uint256 seed) external step {
        Market market = _market(seed);
        bool may = access.isMarket(address(market)) && market != current() && market.escrow() == 0;
        vm_.prank(owner);
        try access.retire(address(market)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function setParams(uint256 seed) external step {
        Market market = current();
        vm_.startPrank(owner);
        market.setHoldback(0);
        market.setPenalty(uint32(bound(seed >> 8, 0, 168) * 1 hours));
        market.setHoldback(uint32(bound(seed >> 16, 0, market.params().penalty / 1 hours) * 1 hours));
        market.setProbation(uint32(bound(seed >> 24, 0, 24 hours)));
        market.setFeeBps(uint16(bound(seed >> 48, 0, 1000)));
        vm_.stopPrank();
    }

    function donate(uint256 seed, uint256 amount) external step {
        address target = seed % 2 == 0 ? address(current()) : address(pledge);
        amount = bound(amount, 1, 10);
        vm_.prank(owner);
        credit.mint(target, amount);
        donated[target] += amount;
    }

    // ---- registry

    function register(uint256 seed) external step {
        address cp = _provider(seed);
        bool may = !access.paused() && !registry.get(cp).exist;
        vm_.prank(cp);
        try registry.register(IRegistry.ProviderInput("rack", "10.0.0.1", "", 7070)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function revise(uint256 seed, uint16 port) external step {
        address cp = _provider(seed);
        bool may = port != 0 && registry.get(cp).exist;
        vm_.prank(cp);
        try registry.revise(IRegistry.ProviderInput("rack again", "10.0.0.2", "rack.example", port)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function setOperator(uint256 seed) external step {
        address cp = _provider(seed);
        if (!registry.get(cp).exist) return;
        vm_.prank(cp);
        registry.setOperator(seed % 3 == 0 ? address(0) : users[seed % users.length]);
    }

    function addNode(uint256 seed) external step {
        address cp = _provider(seed);
        IRegistry.ProviderView memory p = registry.get(cp);
        if (p.nNode == MAX_NODES) return;
        bool may = !access.paused() && p.exist;
        vm_.prank(cp);
        try registry.add_node(_nodeInput(seed)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function updateNode(uint256 seed, uint256 node) external step {
        (address cp, uint64 id) = _node(seed, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        vm_.prank(cp);
        try registry.updatenode(id, _nodeInput(seed)) {
            assertTrue(n.exist && !n.sold);
        } catch {
            _forget();
            assertFalse(n.exist && !n.sold);
        }
    }

    function delNode(uint256 seed, uint256 node) external step {
        if (seed % 5 != 0) return;
        (address cp, uint64 id) = _node(seed / 5, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        vm_.prank(cp);
        try registry.del_node(id) {
            assertTrue(n.exist && !n.sold);
        } catch {
            _forget();
            assertFalse(n.exist && !n.sold);
        }
    }

    function setOnline(uint256 seed, uint256 node) external step {
        (address cp, uint64 id) = _node(seed, node);
        bool exist = registry.get_node(cp, id).exist;
        vm_.prank(cp);
        try registry.setOnline(cp, id, seed % 4 != 0) {
            assertTrue(exist);
        } catch {
            _forget();
            assertFalse(exist);
        }
    }

    function setAvail(uint256 seed, uint256 node, bool avail) external step {
        (address cp, uint64 id) = _node(seed, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        bool may = n.exist && (n.sold || !avail);
        vm_.prank(cp);
        try registry.set_avail(cp, id, avail) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    /// @notice Only a Market may sell or free a node.
    function setSoldByAnybody(uint256 seed, uint256 node, uint32 rev) external step {
        (address cp, uint64 id) = _node(seed, node);
        vm_.prank(_provider(seed));
        // any order id will do: the call must fail whatever it is
        // forge-lint: disable-next-line(unsafe-typecast)
        try registry.set_sold(cp, id, uint64(seed), rev) {
            assertTrue(false, "set_sold by anybody");
        } catch {
            _forget();
        }
    }

    // ---- pledge

    function pledgeMore(uint256 seed, uint256 amount) external step {
        address cp = _provider(seed);
        amount = bound(amount, 1, 200 * USD);
        bool may = !access.paused() && pledge.pledgeOf(cp) + amount >= MIN_PLEDGE;
        vm_.prank(cp);
        try pledge.pledge(address(credit), amount) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function unpledge(uint256 seed, uint256 amount) external step {
        address cp = _provider(seed);
        uint256 have = pledge.pledgeOf(cp);
        if (have == 0) return;
        amount = seed % 3 == 0 ? have : bound(amount, 1, have);
        bool may = have == amount ? registry.soldOf(cp) == 0 : have - amount >= MIN_PLEDGE;
        vm_.prank(cp);
        try pledge.unpledge(address(credit), amount) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function interest(uint256 seed, uint256 amount) external step {
        if (seed % 4 == 0) {
            pledge.updateInterest();
        } else if (seed % 4 == 1) {
            vm_.prank(owner);
            pledge.setRate(bound(amount, 0, 1e18));
        } else if (seed % 4 == 2) {
            vm_.prank(_provider(seed));
            pledge.fundInterest(bound(amount, 1, 10 * USD));
        } else {
            address cp = _provider(seed);
            uint256 due = pledge.getInterest(cp);
            vm_.prank(cp);
            try pledge.withdrawInterest() returns (uint256 paid) {
                assertEq(paid, due);
            } catch {
                _forget();
                assertEq(due, 0);
            }
        }
    }

    // ---- market: entries

    function createOrder(uint256 seed, uint256 node, uint256 duration) external step {
        _createOrder(seed, node, duration);
    }

    /// @notice What most buyers and providers do, so that campaigns see many running orders.
    function createAndActivate(uint256 seed, uint256 node, uint256 duration) external step {
        uint64 id = _createOrder(seed, node, duration);
        if (id == 0) return;
        _checkOrders();
        vm_.prank(_provider(seed));
        current().activate(id);
    }

    function _createOrder(uint256 seed, uint256 node, uint256 duration) private returns (uint64 created) {
        (address cp, uint64 id) = _node(seed, node);
        IRegistry.NodeView memory n = registry.get_node(cp, id);
        address user = _user(seed >> 8);
        IMarket.OrderInput memory input = IMarket.OrderInput({
            provider: cp,
            nodeId: id,
            rev: seed % 16 == 0 ? n.rev + 1 : n.rev,
            duration: uint32(bound(duration, MONTH, 3 * MONTH)),
            maxFee: type(uint256).max,
            app: seed % 3 == 0 ? "" : "nginx"
        });
        bool may = !access.paused() && n.exist && n.online && input.rev == n.rev && pledge.pledgeOf(cp) >= MIN_PLEDGE
            && (n.orderId == 0 || _isReleasable(n.orderId));
        vm_.prank(user);
        try current().createOrder(input) returns (uint64 newId) {
            assertTrue(may);
            created = newId;
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function extend(uint256 seed, uint256 dur) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        dur = bound(dur, MONTH, 2 * MONTH);
        Market market = _marketOf(o.id);
        bool may =
            !access.paused() && market == current() && o.status == OrderStatus.Active && registry.get_node(o.provider, o.nodeId).online;
        if (may) may = o.activateTime + o.duration - vm_.getBlockTimestamp() + dur <= MAX_DURATION;
        vm_.prank(o.user);
        // dur is at most two months
        // forge-lint: disable-next-line(unsafe-typecast)
        try market.extend(o.id, uint32(dur)) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    // ---- market: life

    function activate(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = o.status == OrderStatus.Created && vm_.getBlockTimestamp() < o.lastSettleTime + START;
        Market market = _marketOf(o.id);
        vm_.prank(o.provider);
        try market.activate(o.id) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function userConfirm(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 3 != 0) return;
        bool may = _inProbation(o);
        Market market = _marketOf(o.id);
        vm_.prank(o.user);
        try market.userConfirm(o.id) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function setApp(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = o.status == OrderStatus.Created || o.status == OrderStatus.Active;
        Market market = _marketOf(o.id);
        vm_.prank(seed % 2 == 0 ? o.user : o.provider);
        try market.setApp(o.id, seed % 5 == 0 ? "" : "ubuntu") {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function proSettle(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        bool may = _isActive(o) && !_inProbation(o);
        try _marketOf(o.id).proSettle(o.id) {
            assertTrue(may);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function proSettleMany(uint256 seed) external step {
        Market market = _market(seed);
        uint64[] memory ids = new uint64[](8);
        for (uint256 i = 0; i < ids.length; ++i) {
            ids[i] = market.firstOrderId() + uint64((seed >> (8 * i)) % 32);
        }
        market.proSettleMany(ids);
    }

    function creditDowntime(uint256 seed, uint32 total, uint256 back) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        Market market = _marketOf(o.id);
        (uint32 claim, uint40 asOf, bytes memory sig) = _statement(market, o, seed, total, back);
        bool may = _isActive(o);
        try market.creditDowntime(o.id, claim, asOf, sig) {
            assertTrue(may);
            _checkStatement(market, o);
            if (market.getOrder(o.id).remain == 0) return;
            bytes32 after_ = keccak256(abi.encode(market.getOrder(o.id)));
            market.creditDowntime(o.id, claim, asOf, sig);
            assertEq(keccak256(abi.encode(market.getOrder(o.id))), after_, "a replayed statement changed something");
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    // ---- market: exits, which no pause and no version may hinder

    function release(uint256 seed) external step {
        Market market = _market(seed);
        uint64 id = market.firstOrderId() + uint64((seed >> 8) % 40);
        IMarket.Order memory o = market.getOrder(id);
        bool frees = o.id != 0 && _isReleasable(id);
        market.release(id);
        if (frees) assertNotEq(registry.get_node(o.provider, o.nodeId).orderId, id);
    }

    function userCancel(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 3 != 0) return;
        Market market = _marketOf(o.id);
        bool may = o.status == OrderStatus.Created || _isActive(o);
        uint256 quoted = _quote(market, o.id, false, may);
        uint256 before = credit.balanceOf(o.user);
        vm_.prank(o.user);
        try market.userCancel(o.id) {
            assertTrue(may);
            assertEq(credit.balanceOf(o.user) - before, quoted);
            _checkPayment(market, o);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function userCancelWith(uint256 seed, uint32 total, uint256 back) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 4 != 0) return;
        Market market = _marketOf(o.id);
        (uint32 claim, uint40 asOf, bytes memory sig) = _statement(market, o, seed, total, back);
        bool may = _isActive(o);
        vm_.prank(o.user);
        try market.userCancelWith(o.id, claim, asOf, sig) {
            assertTrue(may);
            _checkPayment(market, o);
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function providerCancel(uint256 seed) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0 || seed % 3 != 0) return;
        Market market = _marketOf(o.id);
        bool may = o.status == OrderStatus.Created || o.status == OrderStatus.Active;
        if (_inProbation(o) || o.status == OrderStatus.Created) closedFree[o.id] = may;
        uint256 quoted = _quote(market, o.id, true, may);
        (uint256 before, uint256 pledged) = (credit.balanceOf(o.user), pledge.pledgeOf(o.provider));
        vm_.prank(o.provider);
        try market.providerCancel(o.id) {
            assertTrue(may);
            assertEq(credit.balanceOf(o.user) - before, quoted);
            uint256 lost = pledged - pledge.pledgeOf(o.provider);
            if (lost != 0) compensated[o.provider] = true;
            uint256 gained = market.getOrder(o.id).remuneration - o.remuneration;
            assertLe(gained, lost + _dueAtEdge(o) + 1, "dropping an order paid better than waiting");
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    function proWithdraw(uint256 seed) external step {
        Market market = _market(seed);
        address cp = _provider(seed >> 8);
        uint256 due = market.earned(cp);
        vm_.prank(cp);
        try market.proWithdraw() returns (uint256 paid) {
            assertEq(paid, due);
        } catch {
            _forget();
            assertEq(due, 0);
        }
    }

    function takeCommission(uint256 seed) external step {
        Market market = _market(seed);
        uint256 due = market.commission();
        vm_.prank(treasury);
        try market.takeCommission() returns (uint256 paid) {
            assertEq(paid, due);
        } catch {
            _forget();
            assertEq(due, 0);
        }
    }

    function fundRewards(uint256 seed, uint256 amount) external step {
        address from = _provider(seed);
        vm_.prank(from);
        current().fundRewards(bound(amount, 1, 100 * USD));
    }

    function voucher(uint256 seed, uint256 amount) external step {
        Market market = _market(seed);
        address account = _user(seed >> 8);
        amount = bound(amount, 1, 50 * USD);
        bytes memory sig = _voucher(market, account, amount);
        bool may = amount <= market.rewards() && amount <= market.rewardsLeftToday();
        vm_.prank(account);
        try market.withdraw(amount, sig) {
            assertTrue(may);
            vouched[account] += amount;
            vouchedOnDay[vm_.getBlockTimestamp() / 1 days][address(market)] += amount;
            assertLe(vouchedOnDay[vm_.getBlockTimestamp() / 1 days][address(market)], market.params().rewardDayCap);
            vm_.prank(account);
            try market.withdraw(amount, sig) {
                assertTrue(false, "a voucher was paid twice");
            } catch { }
        } catch {
            _forget();
            assertFalse(may);
        }
    }

    // ---- what the invariants read

    function current() public view returns (Market) {
        return markets[markets.length - 1];
    }

    function marketCount() external view returns (uint256) {
        return markets.length;
    }

    function userCount() external view returns (uint256) {
        return users.length;
    }

    function providerCount() external view returns (uint256) {
        return providers.length;
    }

    // ---- checks of every order after every call

    function _checkOrders() private {
        for (uint256 m = 0; m < markets.length; ++m) {
            uint64 last = markets[m].lastId();
            for (uint64 id = markets[m].firstOrderId(); id <= last; ++id) {
                OrderStatus before = statusOf[id];
                if (_isTerminal(before)) continue;
                IMarket.Order memory o = markets[m].getOrder(id);
                _checkTransition(before, o.status);
                bytes32 fixed_ = _fixedHash(o);
                if (before == OrderStatus.None) fixedHash[id] = fixed_;
                assertEq(fixed_, fixedHash[id], "a fixed field changed");
                assertGe(o.remuneration, remunerationOf[id], "remuneration fell");
                assertGe(o.lastSettleTime, settledOf[id], "lastSettleTime fell");
                _checkBounds(o);
                (statusOf[id], remunerationOf[id], settledOf[id]) = (o.status, o.remuneration, o.lastSettleTime);
            }
        }
    }

    function _checkBounds(IMarket.Order memory o) private view {
        if (o.activateTime == 0) {
            assertEq(o.remuneration, 0);
            return;
        }
        uint256 end = o.activateTime + o.duration;
        uint256 now_ = vm_.getBlockTimestamp();
        uint256 earnedAtMost = Accrual.accrued(o.rate, (now_ < end ? now_ : end) - o.activateTime);
        assertLe(o.remuneration, earnedAtMost, "paid more than the closed form");
        assertLe(earnedAtMost, o.totalValue);
        assertEq(o.totalValue, Accrual.accrued(o.rate, o.duration));
        assertGe(o.lastSettleTime, o.activateTime);
        assertLe(o.lastSettleTime, now_ < end ? now_ : end);
        assertEq(replay.commissionOf(o.id), o.remuneration * o.feeBps / 10_000, "commission depends on the split");
        if (_isActive(o) && o.down == 0) {
            assertEq(o.remuneration, Accrual.accrued(o.rate, o.lastSettleTime - o.activateTime), "payment depends on the split");
        }
        if (o.status == OrderStatus.ProbationRefunded || closedFree[o.id]) assertEq(o.remuneration, 0, "paid for a probation");
    }

    function _checkTransition(OrderStatus from, OrderStatus to) private pure {
        if (from == to) return;
        bool allowed;
        if (from == OrderStatus.None) {
            allowed = to == OrderStatus.Created;
        } else if (from == OrderStatus.Created) {
            allowed = to == OrderStatus.Active || to == OrderStatus.UserCancelled || to == OrderStatus.ProviderCancelled;
        } else if (from == OrderStatus.Active) {
            allowed = to != OrderStatus.None && to != OrderStatus.Created;
        } else if (from == OrderStatus.Expired) {
            allowed = to == OrderStatus.Completed;
        }
        assertTrue(allowed, "a status moved off the table");
    }

    /// @notice A cancel pays at most what the closed form says without downtime.
    function _checkPayment(Market market, IMarket.Order memory before) private view {
        IMarket.Order memory o = market.getOrder(before.id);
        if (o.activateTime == 0) return;
        uint256 end = o.activateTime + o.duration;
        uint256 time = vm_.getBlockTimestamp() < end ? vm_.getBlockTimestamp() : end;
        uint256 paidFrom = o.activateTime + o.down;
        uint256 most = time > paidFrom ? Accrual.accrued(o.rate, time - paidFrom) : 0;
        uint256 floor = before.remuneration + _dueAtEdge(before);
        assertLe(o.remuneration, most > floor ? most : floor);
    }

    /// @notice A statement takes nothing that is final, and at most the window.
    function _checkStatement(Market market, IMarket.Order memory before) private view {
        IMarket.Order memory o = market.getOrder(before.id);
        assertGe(o.down, before.down);
        if (_inProbation(before)) {
            assertEq(o.remuneration, 0);
        } else {
            assertEq(o.remuneration, before.remuneration + _dueAtEdge(before), "a statement took what was final");
            uint256 end = o.activateTime + o.duration;
            uint256 now_ = vm_.getBlockTimestamp();
            uint256 reach = Accrual.accrued(o.rate, o.holdback) + 1;
            uint256 dueBefore = Accrual.due(before.rate, before.remuneration, before.activateTime, before.down, now_ < end ? now_ : end);
            uint256 dueAfter = Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, now_ < end ? now_ : end);
            assertLe(before.remuneration + dueBefore, o.remuneration + dueAfter + reach, "a statement reached beyond the window");
        }
    }

    function _dueAtEdge(IMarket.Order memory o) private view returns (uint256) {
        if (!_isActive(o) || _inProbation(o)) return 0;
        uint256 edge = Accrual.edge(vm_.getBlockTimestamp(), o.holdback, o.activateTime, o.activateTime + o.duration);
        return Accrual.due(o.rate, o.remuneration, o.activateTime, o.down, edge);
    }

    function _quote(Market market, uint64 id, bool byProvider, bool may) private view returns (uint256 toUser) {
        try market.quoteCancel(id, byProvider) returns (uint256 quoted, uint256, uint256, uint256) {
            assertTrue(may);
            return quoted;
        } catch {
            assertFalse(may);
        }
    }

    function _isReleasable(uint64 id) private view returns (bool) {
        IMarket.Order memory o = _marketOf(id).getOrder(id);
        return o.status == OrderStatus.Expired || (o.status == OrderStatus.Created && vm_.getBlockTimestamp() >= o.lastSettleTime + START);
    }

    function _isActive(IMarket.Order memory o) private pure returns (bool) {
        return o.status == OrderStatus.Active || o.status == OrderStatus.Expired;
    }

    function _isTerminal(OrderStatus status) private pure returns (bool) {
        return status == OrderStatus.Completed || status == OrderStatus.UserCancelled || status == OrderStatus.ProviderCancelled
            || status == OrderStatus.ProbationRefunded;
    }

    function _inProbation(IMarket.Order memory o) private view returns (bool) {
        return _isActive(o) && !o.userConfirm && vm_.getBlockTimestamp() < o.activateTime + o.probation;
    }

    function _fixedHash(IMarket.Order memory o) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                abi.encode(o.id, o.user, o.provider, o.nodeId, o.rate, o.probation, o.holdback, o.penalty, o.feeBps),
                abi.encode(o.nCPU, o.nGPU, o.nMEM, o.nDISK, o.pCPU, o.pGPU, o.pMEM, o.pDISK)
            )
        );
    }

    /// @dev The recorder keeps what a reverted call logged.
    function _forget() private {
        vm_.getRecordedLogs();
    }

    // ---- choices

    function _statement(Market market, IMarket.Order memory o, uint256 seed, uint32 total, uint256 back)
        private
        view
        returns (uint32 claim, uint40 asOf, bytes memory sig)
    {
        claim = uint32(seed % 5 == 0 ? total : bound(total, 0, 2 days));
        asOf = uint40(vm_.getBlockTimestamp() - bound(back, 0, 3 days));
        bytes32 typeHash = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
        sig = _sign(market, keccak256(abi.encode(typeHash, o.id, claim, asOf)));
    }

    function _voucher(Market market, address account, uint256 amount) private view returns (bytes memory) {
        bytes32 typeHash = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");
        uint256 deadline = type(uint256).max;
        return abi.encode(deadline, _sign(market, keccak256(abi.encode(typeHash, account, amount, market.nonces(account), deadline))));
    }

    function _sign(Market market, bytes32 structHash) private view returns (bytes memory) {
        bytes32 domainTypeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(domainTypeHash, keccak256("Rackfair Market"), keccak256("1"), block.chainid, address(market)));
        (uint8 v, bytes32 r, bytes32 s) = vm_.sign(validatorKey, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _nodeInput(uint256 seed) private pure returns (IRegistry.NodeInput memory) {
        return IRegistry.NodeInput({
            cpuModel: "Xeon",
            gpuModel: seed % 2 == 0 ? "RTX 4090" : "",
            // at most 4
            // forge-lint: disable-next-line(unsafe-typecast)
            nCPU: uint16(1 + seed % 4),
            core: 8,
            nGPU: uint16((seed >> 8) % 5),
            nMEM: uint32((seed >> 16) % 1024),
            nDISK: uint32((seed >> 32) % 4096),
            pCPU: (1 + (seed >> 48) % 1e12) * 1e9,
            pGPU: ((seed >> 64) % 1e12) * 1e9,
            pMEM: ((seed >> 96) % 1e9) * 1e9,
            pDISK: ((seed >> 128) % 1e8) * 1e9
        });
    }

    function _order(uint256 seed) private view returns (IMarket.Order memory o) {
        Market market = _market(seed);
        uint64 count = market.lastId() + 1 - market.firstOrderId();
        if (count == 0) return o;
        // Mostly a recent one: the old are closed.
        uint64 age = uint64((seed >> 16) % (seed % 4 == 0 ? count : (count < 8 ? count : 8)));
        return market.getOrder(market.lastId() - age);
    }

    function _market(uint256 seed) private view returns (Market) {
        return seed % 7 < 4 ? current() : markets[seed % markets.length];
    }

    function _marketOf(uint64 id) private view returns (Market) {
        return Market(access.marketOf(id));
    }

    function _node(uint256 seed, uint256 node) private view returns (address cp, uint64 id) {
        cp = _provider(seed);
        uint64 last = registry.get(cp).lastNode;
        // at most the last id, itself a uint64
        // forge-lint: disable-next-line(unsafe-typecast)
        id = last == 0 ? 1 : uint64(1 + node % last);
    }

    function _user(uint256 seed) private view returns (address) {
        return users[seed % users.length];
    }

    function _provider(uint256 seed) private view returns (address) {
        return providers[(seed >> 4) % providers.length];
    }
}
