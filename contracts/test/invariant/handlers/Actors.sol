// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { StdAssertions } from "forge-std/StdAssertions.sol";
import { StdUtils } from "forge-std/StdUtils.sol";
import { Vm } from "forge-std/Vm.sol";
import { Access } from "../../../src/Access.sol";
import { Credit } from "../../../src/Credit.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { Accrual } from "../../../src/libraries/Accrual.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { Pledge } from "../../../src/Pledge.sol";
import { Registry } from "../../../src/Registry.sol";
import { LOST_AFTER, REPORT_FRESH, START } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Replay } from "../Replay.sol";

/// @notice The actors of a campaign, which order, node or account a call picks, and what was observed so far.
abstract contract Actors is StdAssertions, StdUtils {
    uint256 internal constant USD = 1e18;
    Vm internal constant vm_ = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    struct Cast {
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
    IMarketWithLens[] public markets;

    // Compared by the invariants with the state of the contracts.
    mapping(address account => uint256) public granted;
    mapping(address account => uint256) public vouched;
    mapping(address target => uint256) public donated;
    mapping(uint64 id => bytes32) public fixedHash;
    mapping(uint64 id => OrderStatus) public statusOf;
    mapping(uint64 id => uint256) public remunerationOf;
    mapping(uint64 id => uint40) public settledOf;
    mapping(uint64 id => bool) public deployedOf;
    mapping(uint64 id => bool) public hadDowntime;
    mapping(uint256 day => mapping(address market => uint256)) public vouchedOnDay;
    uint256 public steps;

    constructor(Access access_, Credit credit_, Registry registry_, Pledge pledge_, IMarketWithLens market_, Cast memory actors) {
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

    function current() public view returns (IMarketWithLens) {
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

    function _order(uint256 seed) internal view returns (IMarket.Order memory o) {
        IMarketWithLens market = _market(seed);
        uint64 count = market.lastId() + 1 - market.firstOrderId();
        if (count == 0) return o;
        // Mostly a recent one: old ones are closed.
        uint64 age = uint64((seed >> 16) % (seed % 4 == 0 ? count : (count < 8 ? count : 8)));
        return market.getOrder(market.lastId() - age);
    }

    function _market(uint256 seed) internal view returns (IMarketWithLens) {
        return seed % 7 < 4 ? current() : markets[seed % markets.length];
    }

    function _marketOf(uint64 id) internal view returns (IMarketWithLens) {
        return IMarketWithLens(access.marketOf(id));
    }

    function _node(uint256 seed, uint256 node) internal view returns (address cp, uint64 id) {
        cp = _provider(seed);
        uint64 last = registry.get(cp).lastNode;
        // at most the last id, itself a uint64
        // forge-lint: disable-next-line(unsafe-typecast)
        id = last == 0 ? 1 : uint64(1 + node % last);
    }

    function _user(uint256 seed) internal view returns (address) {
        return users[seed % users.length];
    }

    function _provider(uint256 seed) internal view returns (address) {
        return providers[(seed >> 4) % providers.length];
    }

    function _isReleasable(uint64 id) internal view returns (bool) {
        IMarket.Order memory o = _marketOf(id).getOrder(id);
        return o.status == OrderStatus.Expired || (o.status == OrderStatus.Created && vm_.getBlockTimestamp() >= o.lastSettleTime + START);
    }

    /// @notice A(penalty): the amount locked behind a live order.
    function _promiseOf(IMarket.Order memory o) internal pure returns (uint256) {
        return Accrual.accrued(o.rate, o.penalty) - Accrual.accrued(o.rate, o.creditedTwice);
    }

    function _startPenaltyOf(IMarket.Order memory o) internal pure returns (uint256) {
        return o.penalty == 0 ? 0 : Accrual.accrued(o.rate, 1 hours);
    }

    /// @notice The reports say that the node was away for a whole day, and nothing could say yet that it is back.
    function _isLost(IMarket.Order memory o) internal view returns (bool) {
        bool wasAway = o.downSince != 0 && o.reportedUntil - o.downSince >= LOST_AFTER;
        bool isFresh = vm_.getBlockTimestamp() < o.reportedUntil + REPORT_FRESH;
        return wasAway && (isFresh || o.reportedUntil >= o.activateTime + o.duration);
    }

    function _isActive(IMarket.Order memory o) internal pure returns (bool) {
        return o.status == OrderStatus.Active || o.status == OrderStatus.Expired;
    }

    function _inProbation(IMarket.Order memory o) internal view returns (bool) {
        return _isActive(o) && !o.userConfirm && !o.deployed && vm_.getBlockTimestamp() < o.activateTime + o.probation;
    }

    function _sign(IMarketWithLens market, bytes32 structHash) internal view returns (bytes memory) {
        bytes32 domainTypeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(domainTypeHash, keccak256("Rackfair Market"), keccak256("1"), block.chainid, address(market)));
        (uint8 v, bytes32 r, bytes32 s) = vm_.sign(validatorKey, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    /// @dev Drains the recorder, which also keeps the logs of a reverted call.
    function _forget() internal {
        vm_.getRecordedLogs();
    }
}
