// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IMarketOffice } from "./interfaces/IMarketOffice.sol";
import { IMarketState } from "./interfaces/IMarketState.sol";
import { IPledge } from "./interfaces/IPledge.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { DEVELOPMENT_CHAIN, VERSION_NOTICE, VERSION_VALID } from "./types/Constants.sol";
import { Service } from "./types/Service.sol";
import { Set } from "./types/Set.sol";

/// @title Access
/// @dev See {IAccess}.
contract Access is Ownable2Step, IAccess {
    uint40 private constant PAUSE = 7 days;
    uint40 private constant PAUSE_INTERVAL = 30 days;

    struct Announced {
        address account;
        uint40 from;
    }

    // One slot: everything an entry reads.
    address private _market;
    uint32 private _version;
    uint40 private _pausedUntil;

    bytes32 private _announced;
    uint40 private _announcedFor;

    mapping(uint32 ver => Set) private _sets;
    mapping(uint32 ver => uint64) private _firstOrderId;
    /// @dev The Registry over which a Market is in service; zero for every other address.
    mapping(address market => address registry) private _serves;
    mapping(Role => address) private _holder;
    mapping(Role => Announced) private _next;
    mapping(address guardian => uint40) private _pausedAt;

    constructor(address owner_, address guardian_, address validator_, address treasury_) Ownable(owner_) {
        _setRole(Role.Guardian, guardian_);
        _setRole(Role.Validator, validator_);
        _setRole(Role.Treasury, treasury_);
    }

    function announce(Set calldata set) external onlyOwner {
        _requireWired(set);
        uint40 from = uint40(block.timestamp) + VERSION_NOTICE;

        (_announced, _announcedFor) = (keccak256(abi.encode(set)), from);
        emit VersionAnnounced(set, from);
    }

    function publish(Set calldata set) external onlyOwner returns (uint32 ver) {
        _requireWired(set);
        uint64 first = IMarket(set.market).firstOrderId();
        address before = _market;
        if (before != address(0)) {
            _requireNotice(_announced == keccak256(abi.encode(set)) ? _announcedFor : type(uint40).max);
            uint64 last = IMarket(before).lastId();
            if (first <= last) revert OrderIdsOverlap(first, last);
        }

        Set memory old = _sets[_version];
        ver = ++_version;
        _announced = 0;
        _market = set.market;
        _sets[ver] = set;
        _firstOrderId[ver] = first;
        _serves[set.market] = set.registry;
        emit VersionPublished(ver, set, first);

        if (before != address(0)) {
            IRegistry(old.registry).setMarket(before, Service.Draining);
            IPledge(old.pledge).drain(before);
        }
        IRegistry(set.registry).setMarket(set.market, Service.Selling);
    }

    function retire(address market) external onlyOwner {
        address registry = _serves[market];
        if (registry == address(0)) revert NotMarket(market);
        if (market == _market) revert MarketIsCurrent(market);
        uint256 escrow = IMarket(market).escrow();
        if (escrow != 0) revert MarketNotEmpty(market, escrow);

        delete _serves[market];
        emit ModuleRetired(market);

        IRegistry(registry).setMarket(market, Service.None);
    }

    function announceRole(Role role, address account) external onlyOwner {
        uint40 from = uint40(block.timestamp) + VERSION_NOTICE;

        _next[role] = Announced(account, from);
        emit RoleAnnounced(role, account, from);
    }

    function setRole(Role role, address account) external onlyOwner {
        Announced memory next = _next[role];
        _requireNotice(next.account == account ? next.from : type(uint40).max);

        delete _next[role];
        _setRole(role, account);
    }

    function pause() external {
        if (msg.sender != _holder[Role.Guardian]) revert NotGuardian(msg.sender);
        uint40 time = uint40(block.timestamp);
        uint40 last = _pausedAt[msg.sender];
        if (last != 0 && time < last + PAUSE_INTERVAL) revert PauseTooSoon(last + PAUSE_INTERVAL);

        _pausedAt[msg.sender] = time;
        _pausedUntil = time + PAUSE;
        emit Paused(msg.sender, time + PAUSE);
    }

    function unpause() external onlyOwner {
        if (!paused()) revert NotPaused();

        _pausedUntil = 0;
        emit Unpaused();
    }

    function renounceOwnership() public pure override {
        revert RenounceDisabled();
    }

    function CurrentVer() external view returns (uint32) {
        return _version;
    }

    function addresses(uint32 ver) external view returns (Set memory) {
        return _sets[ver];
    }

    function current() external view returns (uint32 ver, Set memory set) {
        return (_version, _sets[_version]);
    }

    function marketOf(uint64 orderId) external view returns (address) {
        for (uint32 ver = _version; ver != 0; --ver) {
            if (orderId >= _firstOrderId[ver]) return _sets[ver].market;
        }
        return address(0);
    }

    function isMarket(address module) external view returns (bool) {
        return _serves[module] != address(0);
    }

    function gate() external view returns (address market, bool isPaused) {
        return (_market, paused());
    }

    function paused() public view returns (bool) {
        return block.timestamp < _pausedUntil;
    }

    function pausedUntil() external view returns (uint40) {
        return _pausedUntil;
    }

    function owner() public view override(Ownable, IAccess) returns (address) {
        return Ownable.owner();
    }

    function guardian() external view returns (address) {
        return _holder[Role.Guardian];
    }

    function validator() external view returns (address) {
        return _holder[Role.Validator];
    }

    function treasury() external view returns (address) {
        return _holder[Role.Treasury];
    }

    function _setRole(Role role, address account) private {
        if (account == address(0)) revert ZeroAddress();

        _holder[role] = account;
        emit RoleSet(role, account);
    }

    /// @dev There is nobody to warn before the first version, nor on the chain of a local market.
    function _requireNotice(uint40 from) private view {
        if (block.chainid == DEVELOPMENT_CHAIN) return;
        if (block.timestamp < from || block.timestamp >= from + VERSION_VALID) revert NotAnnounced(from);
    }

    function _requireWired(Set calldata set) private view {
        IMarket market = IMarket(set.market);
        IPledge pledge = IPledge(set.pledge);
        IRegistry registry = IRegistry(set.registry);
        _requireNames(set.registry, registry.access(), address(this));
        _requireNames(set.registry, registry.pledge(), set.pledge);
        _requireNames(set.pledge, pledge.access(), address(this));
        _requireNames(set.pledge, pledge.registry(), set.registry);
        _requireNames(set.pledge, pledge.credit(), set.credit);
        address office = market.office();
        _requireNamesAll(set.market, set);
        _requireNamesAll(office, set);
        _requireNamesAll(IMarketOffice(office).lens(), set);
    }

    /// @dev A Market runs the code of its office and of its lens, which name the contracts themselves.
    function _requireNamesAll(address module, Set calldata set) private view {
        IMarketState state = IMarketState(module);
        _requireNames(module, state.access(), address(this));
        _requireNames(module, state.registry(), set.registry);
        _requireNames(module, state.pledge(), set.pledge);
        _requireNames(module, state.credit(), set.credit);
    }

    function _requireNames(address module, address found, address expected) private pure {
        if (found != expected) revert NotWired(module, found, expected);
    }
}
