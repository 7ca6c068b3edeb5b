// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IMarket } from "./interfaces/IMarket.sol";
import { IPledge } from "./interfaces/IPledge.sol";
import { ShortText } from "./libraries/ShortText.sol";
import { InputRules } from "./registry/InputRules.sol";
import { NameKey } from "./libraries/NameKey.sol";
import { NodeBook } from "./registry/NodeBook.sol";
import { GWEI, MIN_PLEDGE } from "./types/Constants.sol";
import { Service } from "./types/Service.sol";

/// @title Registry
/// @dev See {IRegistry}.
contract Registry is NodeBook {
    using SafeCast for uint256;

    uint256 private constant MAX_NODES = 1000;
    /// @dev Without a pledge an account costs nothing: enough nodes to try the market, too few to flood the list.
    uint256 private constant MAX_NODES_UNPLEDGED = 16;

    address public immutable access;
    address public immutable pledge;

    /// @notice See IRegistry. Written by Access, so that selling a node needs no call there.
    mapping(address market => Service) public serviceOf;

    modifier onlyOpen() {
        if (IAccess(access).paused()) revert EntriesPaused();
        _;
    }

    modifier onlyRegistered() {
        if (!_providers[msg.sender].exist) revert NotRegistered(msg.sender);
        _;
    }

    modifier onlyOperator(address cp) {
        if (msg.sender != cp && msg.sender != _providers[cp].operator) revert NotOperator(msg.sender, cp);
        _;
    }

    /// @dev A draining Market may only act on its own orders.
    modifier onlyMarketOf(uint64 orderId) {
        Service service = serviceOf[msg.sender];
        if (service != Service.Selling && (service == Service.None || IAccess(access).marketOf(orderId) != msg.sender)) {
            revert NotMarket(msg.sender);
        }
        _;
    }

    constructor(address access_, address pledge_) {
        access = access_;
        pledge = pledge_;
    }

    function register(ProviderInput calldata input) external onlyOpen {
        if (_providers[msg.sender].exist) revert AlreadyRegistered(msg.sender);
        InputRules.requireProvider(input);

        _providers[msg.sender].exist = true;
        _list.push(msg.sender);
        ++_offered.providers;
        _claimName(bytes(input.name));
        _describe(input);
        emit ProviderRegistered(msg.sender, input.name, input.ip, input.domain, input.port);
    }

    function revise(ProviderInput calldata input) external onlyRegistered {
        _revise(input);
    }

    function updatecp(ProviderInput calldata input) external onlyRegistered {
        _revise(input);
    }

    function setOperator(address operator) external onlyRegistered {
        Provider storage provider = _providers[msg.sender];
        if (provider.operator != address(0)) _operatorUntil[msg.sender][provider.operator] = uint40(block.timestamp);
        provider.operator = operator;
        emit OperatorSet(msg.sender, operator);
    }

    function add_node(NodeInput calldata input) external onlyOpen onlyRegistered returns (uint64 id) {
        Provider storage provider = _providers[msg.sender];
        uint256 live = provider.nNode;
        if (live >= MAX_NODES) revert TooManyNodes(MAX_NODES);
        if (live >= MAX_NODES_UNPLEDGED && IPledge(pledge).pledgeOf(msg.sender) < MIN_PLEDGE) revert TooManyNodes(MAX_NODES_UNPLEDGED);
        uint256 rate = InputRules.requireNode(input);

        id = ++provider.lastNode;
        Node storage node = _nodes[msg.sender][id];
        node.exist = true;
        node.online = true;
        node.rev = 1;
        _offer(node, 1, input, rate);
        _count(provider, input.nMEM, input.nDISK);
        emit NodeAdded(msg.sender, id, input);
    }

    function updatenode(uint64 id, NodeInput calldata input) external {
        Node storage node = _unsold(id);
        uint256 rate = InputRules.requireNode(input);

        Provider storage provider = _providers[msg.sender];
        uint32 rev = node.rev;
        _uncount(provider, node.nMEM, node.nDISK);
        node.rev = ++rev;
        _offer(node, rev, input, rate);
        _count(provider, input.nMEM, input.nDISK);
        emit NodeUpdated(msg.sender, id, rev, input);
    }

    function del_node(uint64 id) external {
        Node storage node = _unsold(id);

        _uncount(_providers[msg.sender], node.nMEM, node.nDISK);
        delete _nodes[msg.sender][id];
        emit NodeDeleted(msg.sender, id);
    }

    function setOnline(address cp, uint64 id, bool online) external onlyOperator(cp) {
        Node storage node = _existing(cp, id);

        node.online = online;
        emit OnlineSet(cp, id, online);
    }

    function setMinTerm(address cp, uint64 id, uint32 minTerm) external onlyOperator(cp) {
        Node storage node = _existing(cp, id);
        InputRules.requireMinTerm(minTerm);

        // at most 6 MONTH
        // forge-lint: disable-next-line(unsafe-typecast)
        node.minTerm = uint24(minTerm);
        emit MinTermSet(cp, id, minTerm);
    }

    function set_avail(address cp, uint64 id, bool avail) external onlyOperator(cp) {
        Node storage node = _existing(cp, id);
        uint64 orderId = node.orderId;
        if (avail && orderId == 0) revert NodeNotSold(cp, id);

        node.avail = avail;
        emit NodeAvailSet(cp, id, avail);

        if (avail) IMarket(IAccess(access).marketOf(orderId)).markDeployed(orderId);
    }

    function setDeployed(address cp, uint64 id, uint64 orderId) external onlyMarketOf(orderId) {
        Node storage node = _nodes[cp][id];
        if (node.avail || node.orderId != orderId) return;

        node.avail = true;
        emit NodeAvailSet(cp, id, true);
    }

    function set_sold(address cp, uint64 id, uint64 orderId, uint32 rev)
        external
        onlyMarketOf(orderId)
        returns (uint256 rate, uint32 minTerm)
    {
        if (rev == 0) {
            _letGo(cp, id, orderId);
        } else {
            if (serviceOf[msg.sender] != Service.Selling) revert NotMarket(msg.sender);
            return _reserve(cp, id, orderId, rev);
        }
    }

    function setMarket(address market, Service service) external {
        if (msg.sender != access) revert NotAccess(msg.sender);

        serviceOf[market] = service;
        emit MarketSet(market, service);
    }

    function isMarket(address market) external view returns (bool) {
        return serviceOf[market] != Service.None;
    }

    function holderOf(string calldata name) external view returns (address) {
        return _holders[NameKey.keyOf(bytes(name))];
    }

    function _revise(ProviderInput calldata input) private {
        InputRules.requireProvider(input);

        bytes memory before = bytes(_providers[msg.sender].name);
        if (keccak256(before) != keccak256(bytes(input.name))) {
            delete _holders[NameKey.keyOf(before)];
            _claimName(bytes(input.name));
        }
        _describe(input);
        emit ProviderRevised(msg.sender, input.name, input.ip, input.domain, input.port);
    }

    function _reserve(address cp, uint64 id, uint64 orderId, uint32 rev) private returns (uint256, uint32) {
        Node storage node = _existing(cp, id);
        if (!node.online) revert NodeOffline(cp, id);
        if (node.orderId != 0) revert NodeSold(cp, id, node.orderId);
        if (node.rev != rev) revert StaleNode(rev, node.rev);

        node.orderId = orderId;
        node.avail = false;
        (uint32 mem, uint32 disk) = (node.nMEM, node.nDISK);
        Provider storage provider = _providers[cp];
        unchecked {
            provider.uNode += 1;
            provider.uMem += mem;
            provider.uDisk += disk;
        }
        emit NodeSoldSet(cp, id, orderId, true);
        return (node.offers[rev].rate, _minTerm(node));
    }

    function _letGo(address cp, uint64 id, uint64 orderId) private {
        Node storage node = _nodes[cp][id];
        if (orderId == 0 || node.orderId != orderId) return;

        node.orderId = 0;
        node.avail = false;
        (uint32 mem, uint32 disk) = (node.nMEM, node.nDISK);
        Provider storage provider = _providers[cp];
        unchecked {
            provider.uNode -= 1;
            provider.uMem -= mem;
            provider.uDisk -= disk;
        }
        emit NodeSoldSet(cp, id, orderId, false);
    }

    function _claimName(bytes memory name) private {
        bytes32 key = NameKey.keyOf(name);
        if (key == 0) revert NameUnreadable();
        address holder = _holders[key];
        if (holder != address(0)) revert NameTaken(holder);

        _holders[key] = msg.sender;
    }

    function _describe(ProviderInput calldata input) private {
        Provider storage provider = _providers[msg.sender];
        provider.name = input.name;
        provider.ip = input.ip;
        provider.domain = input.domain;
        provider.port = input.port;
    }

    function _offer(Node storage node, uint32 rev, NodeInput calldata input, uint256 rate) private {
        node.nMEM = input.nMEM;
        node.nDISK = input.nDISK;
        node.core = input.core;
        node.cpuModel = ShortText.pack(input.cpuModel);
        node.gpuModel = ShortText.pack(input.gpuModel);
        node.offers[rev] = Offer({
            // below MAX_RATE
            // forge-lint: disable-next-line(unsafe-typecast)
            rate: uint88(rate),
            nCPU: input.nCPU,
            nGPU: input.nGPU,
            nMEM: input.nMEM,
            nDISK: input.nDISK,
            pCPU: (input.pCPU / GWEI).toUint64(),
            pGPU: (input.pGPU / GWEI).toUint64(),
            pMEM: (input.pMEM / GWEI).toUint64(),
            pDISK: (input.pDISK / GWEI).toUint64()
        });
    }

    function _count(Provider storage provider, uint32 mem, uint32 disk) private {
        provider.nNode += 1;
        provider.nMem += mem;
        provider.nDisk += disk;
        _offered.nodes += 1;
        _offered.mem += mem;
        _offered.disk += disk;
    }

    function _uncount(Provider storage provider, uint32 mem, uint32 disk) private {
        provider.nNode -= 1;
        provider.nMem -= mem;
        provider.nDisk -= disk;
        _offered.nodes -= 1;
        _offered.mem -= mem;
        _offered.disk -= disk;
    }

    function _unsold(uint64 id) private view returns (Node storage node) {
        node = _existing(msg.sender, id);
        if (node.orderId != 0) revert NodeSold(msg.sender, id, node.orderId);
    }
}
