// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "./interfaces/IAccess.sol";
import { IPledge } from "./interfaces/IPledge.sol";
import { IRegistry } from "./interfaces/IRegistry.sol";
import { Accrual } from "./libraries/Accrual.sol";
import { ShortText } from "./libraries/ShortText.sol";
import { MAX_RATE, MIN_PLEDGE } from "./types/Constants.sol";
import { Terms } from "./types/Terms.sol";

/// @title Registry
/// @dev The promises are in IRegistry.
contract Registry is IRegistry {
    using SafeCast for uint256;

    uint256 private constant MAX_PAGE = 200;
    uint256 private constant MAX_NODES = 1000;
    /// @dev Without a pledge an account costs nothing, and enough nodes of 2^20 GB would overflow the sums and block add_node for everybody.
    uint256 private constant MAX_NODES_UNPLEDGED = 16;
    uint256 private constant MAX_COUNT = 4096;
    uint256 private constant MAX_GB = 1 << 20;
    uint256 private constant GWEI = 1e9;

    struct Provider {
        uint32 nNode;
        uint32 uNode;
        uint40 nMem;
        uint40 uMem;
        uint40 nDisk;
        uint40 uDisk;
        uint16 port;
        bool exist;
        address operator;
        uint32 lastNode;
        string name;
        string ip;
        string domain;
    }

    struct Node {
        uint64 orderId;
        uint32 rev;
        uint32 nMEM;
        uint32 nDISK;
        uint16 nCPU;
        uint16 core;
        uint16 nGPU;
        bool exist;
        bool avail;
        bool online;
        // gwei per unit and MONTH
        uint64 pCPU;
        uint64 pGPU;
        uint64 pMEM;
        uint64 pDISK;
        bytes32 cpuModel;
        bytes32 gpuModel;
    }

    address public immutable access;
    address public immutable pledge;

    Global private _global;
    mapping(address cp => Provider) private _providers;
    mapping(address cp => mapping(uint64 id => Node)) private _nodes;
    address[] private _list;

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

    constructor(address access_, address pledge_) {
        access = access_;
        pledge = pledge_;
    }

    function register(ProviderInput calldata input) external onlyOpen {
        if (_providers[msg.sender].exist) revert AlreadyRegistered(msg.sender);
        _requireProvider(input);

        _providers[msg.sender].exist = true;
        _list.push(msg.sender);
        ++_global.cpNumber;
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
        _providers[msg.sender].operator = operator;
        emit OperatorSet(msg.sender, operator);
    }

    function add_node(NodeInput calldata input) external onlyOpen onlyRegistered returns (uint64 id) {
        Provider storage provider = _providers[msg.sender];
        uint256 live = provider.nNode;
        if (live >= MAX_NODES) revert TooManyNodes(MAX_NODES);
        if (live >= MAX_NODES_UNPLEDGED && IPledge(pledge).pledgeOf(msg.sender) < MIN_PLEDGE) revert TooManyNodes(MAX_NODES_UNPLEDGED);
        _requireNode(input);

        id = ++provider.lastNode;
        Node storage node = _nodes[msg.sender][id];
        node.exist = true;
        node.online = true;
        node.rev = 1;
        _offer(node, input);
        _count(provider, input.nMEM, input.nDISK);
        emit NodeAdded(msg.sender, id, input);
    }

    function updatenode(uint64 id, NodeInput calldata input) external {
        Node storage node = _unsold(id);
        _requireNode(input);

        Provider storage provider = _providers[msg.sender];
        _uncount(provider, node.nMEM, node.nDISK);
        uint32 rev = ++node.rev;
        _offer(node, input);
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

    function set_avail(address cp, uint64 id, bool avail) external onlyOperator(cp) {
        Node storage node = _existing(cp, id);
        if (avail && node.orderId == 0) revert NodeNotSold(cp, id);

        node.avail = avail;
        emit NodeAvailSet(cp, id, avail);
    }

    function set_sold(address cp, uint64 id, uint64 orderId, uint32 rev) external returns (Terms memory terms) {
        if (!IAccess(access).isMarket(msg.sender)) revert NotMarket(msg.sender);
        if (rev == 0) {
            _letGo(cp, id, orderId);
        } else {
            terms = _reserve(cp, id, orderId, rev);
        }
    }

    function get_node(address cp, uint64 id) public view returns (NodeView memory view_) {
        Node storage node = _nodes[cp][id];
        view_.id = id;
        view_.cp = cp;
        view_.cpuModel = ShortText.unpack(node.cpuModel);
        view_.gpuModel = ShortText.unpack(node.gpuModel);
        view_.nCPU = node.nCPU;
        view_.core = node.core;
        view_.nGPU = node.nGPU;
        view_.nMEM = node.nMEM;
        view_.nDISK = node.nDISK;
        view_.pCPU = node.pCPU * GWEI;
        view_.pGPU = node.pGPU * GWEI;
        view_.pMEM = node.pMEM * GWEI;
        view_.pDISK = node.pDISK * GWEI;
        view_.rev = node.rev;
        view_.orderId = node.orderId;
        view_.exist = node.exist;
        view_.sold = node.orderId != 0;
        view_.avail = node.avail;
        view_.online = node.online;
    }

    function list_node(address cp, uint256 start, uint256 num) external view returns (NodeView[] memory list) {
        uint256 size = _pageSize(_providers[cp].lastNode, start, num);
        list = new NodeView[](size);
        for (uint256 i = 0; i < size; ++i) {
            list[i] = get_node(cp, (start + i + 1).toUint64());
        }
    }

    function get(address cp) public view returns (ProviderView memory) {
        Provider storage p = _providers[cp];
        return ProviderView({
            addr: cp,
            name: p.name,
            ip: p.ip,
            domain: p.domain,
            port: p.port,
            operator: p.operator,
            nNode: p.nNode,
            uNode: p.uNode,
            nMem: p.nMem,
            uMem: p.uMem,
            nDisk: p.nDisk,
            uDisk: p.uDisk,
            lastNode: p.lastNode,
            exist: p.exist
        });
    }

    function getKeys(uint256 start, uint256 num) external view returns (address[] memory list) {
        uint256 size = _pageSize(_list.length, start, num);
        list = new address[](size);
        for (uint256 i = 0; i < size; ++i) {
            list[i] = _list[start + i];
        }
    }

    function getList(uint256 start, uint256 num) public view returns (ProviderView[] memory list) {
        uint256 size = _pageSize(_list.length, start, num);
        list = new ProviderView[](size);
        for (uint256 i = 0; i < size; ++i) {
            list[i] = get(_list[start + i]);
        }
    }

    function listCP(uint256 start, uint256 num) external view returns (ProviderView[] memory list, uint256 total) {
        return (getList(start, num), _list.length);
    }

    function gInfo() external view returns (Global memory) {
        return _global;
    }

    function termsOf(address cp, uint64 id) external view returns (Terms memory terms, uint256 rate, uint32 rev) {
        Node storage node = _existing(cp, id);
        terms = _terms(node);
        return (terms, Accrual.rateOf(terms), node.rev);
    }

    function stateOf(address cp, uint64 id) external view returns (uint64 orderId, uint32 rev, bool exist, bool avail, bool online) {
        Node storage node = _nodes[cp][id];
        return (node.orderId, node.rev, node.exist, node.avail, node.online);
    }

    function operatorOf(address cp) external view returns (address) {
        return _providers[cp].operator;
    }

    function soldOf(address cp) external view returns (uint32) {
        return _providers[cp].uNode;
    }

    function _revise(ProviderInput calldata input) private {
        _requireProvider(input);

        _describe(input);
        emit ProviderRevised(msg.sender, input.name, input.ip, input.domain, input.port);
    }

    function _reserve(address cp, uint64 id, uint64 orderId, uint32 rev) private returns (Terms memory) {
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
            _global.nodeUsed += 1;
            _global.memUsed += mem;
            _global.diskUsed += disk;
        }
        emit NodeSoldSet(cp, id, orderId, true);
        return _terms(node);
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
            _global.nodeUsed -= 1;
            _global.memUsed -= mem;
            _global.diskUsed -= disk;
        }
        emit NodeSoldSet(cp, id, orderId, false);
    }

    function _describe(ProviderInput calldata input) private {
        Provider storage provider = _providers[msg.sender];
        provider.name = input.name;
        provider.ip = input.ip;
        provider.domain = input.domain;
        provider.port = input.port;
    }

    function _offer(Node storage node, NodeInput calldata input) private {
        node.nMEM = input.nMEM;
        node.nDISK = input.nDISK;
        node.nCPU = input.nCPU;
        node.core = input.core;
        node.nGPU = input.nGPU;
        node.pCPU = (input.pCPU / GWEI).toUint64();
        node.pGPU = (input.pGPU / GWEI).toUint64();
        node.pMEM = (input.pMEM / GWEI).toUint64();
        node.pDISK = (input.pDISK / GWEI).toUint64();
        node.cpuModel = ShortText.pack(input.cpuModel);
        node.gpuModel = ShortText.pack(input.gpuModel);
    }

    function _count(Provider storage provider, uint32 mem, uint32 disk) private {
        provider.nNode += 1;
        provider.nMem += mem;
        provider.nDisk += disk;
        _global.nodeGlobal += 1;
        _global.memGlobal += mem;
        _global.diskGlobal += disk;
    }

    function _uncount(Provider storage provider, uint32 mem, uint32 disk) private {
        provider.nNode -= 1;
        provider.nMem -= mem;
        provider.nDisk -= disk;
        _global.nodeGlobal -= 1;
        _global.memGlobal -= mem;
        _global.diskGlobal -= disk;
    }

    function _terms(Node storage node) private view returns (Terms memory) {
        return Terms({
            pCPU: node.pCPU * GWEI,
            pGPU: node.pGPU * GWEI,
            pMEM: node.pMEM * GWEI,
            pDISK: node.pDISK * GWEI,
            nCPU: node.nCPU,
            nGPU: node.nGPU,
            nMEM: node.nMEM,
            nDISK: node.nDISK
        });
    }

    function _existing(address cp, uint64 id) private view returns (Node storage node) {
        node = _nodes[cp][id];
        if (!node.exist) revert NodeNotFound(cp, id);
    }

    function _unsold(uint64 id) private view returns (Node storage node) {
        node = _existing(msg.sender, id);
        if (node.orderId != 0) revert NodeSold(msg.sender, id, node.orderId);
    }

    function _pageSize(uint256 length, uint256 start, uint256 num) private pure returns (uint256) {
        if (num > MAX_PAGE) revert PageTooLong(num, MAX_PAGE);
        if (start >= length) return 0;
        return num < length - start ? num : length - start;
    }

    function _requireProvider(ProviderInput calldata input) private pure {
        _requireLength("name", input.name, 1, 64);
        _requireLength("ip", input.ip, 1, 45);
        _requireLength("domain", input.domain, 0, 253);
        _requireCount("port", input.port, 1, type(uint16).max);
    }

    function _requireNode(NodeInput calldata input) private pure {
        _requireLength("cpuModel", input.cpuModel, 0, ShortText.MAX);
        _requireLength("gpuModel", input.gpuModel, 0, ShortText.MAX);
        _requireCount("nCPU", input.nCPU, 0, MAX_COUNT);
        _requireCount("core", input.core, input.nCPU == 0 ? 0 : 1, MAX_COUNT);
        _requireCount("nGPU", input.nGPU, 0, MAX_COUNT);
        _requireCount("nMEM", input.nMEM, 0, MAX_GB);
        _requireCount("nDISK", input.nDISK, 0, MAX_GB);
        if (input.nCPU == 0 && input.nGPU == 0) revert NoProcessor();
        uint256 rate = _value(input.pCPU, input.nCPU) + _value(input.pGPU, input.nGPU) + _value(input.pMEM, input.nMEM)
            + _value(input.pDISK, input.nDISK);
        if (rate == 0) revert ZeroRate();
        if (rate >= MAX_RATE) revert RateTooHigh(rate, MAX_RATE - 1);
    }

    function _value(uint256 price, uint256 num) private pure returns (uint256) {
        if (price >= MAX_RATE) revert PriceTooHigh(price, MAX_RATE - 1);
        if (price % GWEI != 0) revert PriceGranularity(price);
        return price * num;
    }

    function _requireLength(string memory field, string calldata text, uint256 min, uint256 max) private pure {
        uint256 length = bytes(text).length;
        if (length < min || length > max) revert LengthOutOfBounds(field, length, min, max);
    }

    function _requireCount(string memory field, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert CountOutOfBounds(field, value, min, max);
    }
}
