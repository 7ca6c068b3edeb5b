// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IRegistry } from "../interfaces/IRegistry.sol";
import { ShortText } from "../libraries/ShortText.sol";
import { GWEI, MIN_DURATION } from "../types/Constants.sol";
import { Terms } from "../types/Terms.sol";

/// @title NodeBook
/// @notice How a Registry stores its providers and nodes, and how they are read.
abstract contract NodeBook is IRegistry {
    using SafeCast for uint256;

    uint256 private constant MAX_PAGE = 200;

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
        uint32 nMEM; // of this revision, beside the order, so that a close reads one slot
        uint32 nDISK;
        uint16 core;
        bool exist;
        bool avail;
        bool online;
        uint24 minTerm;
        bytes32 cpuModel;
        bytes32 gpuModel;
        /// @dev Never overwritten, even if the node is deleted: an order names its revision instead of keeping a copy.
        mapping(uint32 rev => Offer) offers;
    }

    /// @dev A sale reads the first slot; the prices in the second are gwei per unit and MONTH.
    struct Offer {
        uint88 rate;
        uint16 nCPU;
        uint16 nGPU;
        uint32 nMEM;
        uint32 nDISK;
        // ---
        uint64 pCPU;
        uint64 pGPU;
        uint64 pMEM;
        uint64 pDISK;
    }

    /// @dev What is sold is counted by provider only. No number of accounts overflows 64 bits.
    struct Offered {
        uint64 providers;
        uint64 nodes;
        uint64 mem;
        uint64 disk;
    }

    Offered internal _offered;
    mapping(address cp => Provider) internal _providers;
    mapping(address cp => mapping(uint64 id => Node)) internal _nodes;
    address[] internal _list;
    mapping(bytes32 nameKey => address provider) internal _holders;
    /// @dev When an operator was replaced; zero for all others.
    mapping(address cp => mapping(address operator => uint40)) internal _operatorUntil;

    function get_node(address cp, uint64 id) public view returns (NodeView memory view_) {
        Node storage node = _nodes[cp][id];
        Terms memory terms = _terms(node, node.rev);
        view_.id = id;
        view_.cp = cp;
        view_.cpuModel = ShortText.unpack(node.cpuModel);
        view_.gpuModel = ShortText.unpack(node.gpuModel);
        view_.core = node.core;
        (view_.nCPU, view_.nGPU, view_.nMEM, view_.nDISK) = (terms.nCPU, terms.nGPU, terms.nMEM, terms.nDISK);
        (view_.pCPU, view_.pGPU, view_.pMEM, view_.pDISK) = (terms.pCPU, terms.pGPU, terms.pMEM, terms.pDISK);
        view_.rev = node.rev;
        view_.orderId = node.orderId;
        view_.exist = node.exist;
        view_.sold = node.orderId != 0;
        view_.avail = node.avail;
        view_.online = node.online;
        view_.minTerm = minTermOf(cp, id);
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
        return (getList(start, num < MAX_PAGE ? num : MAX_PAGE), _list.length);
    }

    function gInfo() external view returns (Global memory info) {
        Offered memory offered = _offered;
        (info.cpNumber, info.nodeGlobal, info.memGlobal, info.diskGlobal) = (offered.providers, offered.nodes, offered.mem, offered.disk);
        uint256 length = _list.length;
        for (uint256 i = 0; i < length; ++i) {
            Provider storage p = _providers[_list[i]];
            (uint32 nodes, uint40 mem, uint40 disk) = (p.uNode, p.uMem, p.uDisk);
            unchecked {
                info.nodeUsed += nodes;
                info.memUsed += mem;
                info.diskUsed += disk;
            }
        }
    }

    function termsOf(address cp, uint64 id) external view returns (Terms memory terms, uint256 rate, uint32 rev) {
        Node storage node = _existing(cp, id);
        rev = node.rev;
        (terms, rate) = (_terms(node, rev), node.offers[rev].rate);
    }

    function termsAt(address cp, uint64 id, uint32 rev) external view returns (Terms memory) {
        return _terms(_nodes[cp][id], rev);
    }

    function stateOf(address cp, uint64 id) external view returns (uint64 orderId, uint32 rev, bool exist, bool avail, bool online) {
        Node storage node = _nodes[cp][id];
        return (node.orderId, node.rev, node.exist, node.avail, node.online);
    }

    function minTermOf(address cp, uint64 id) public view returns (uint32) {
        return _minTerm(_nodes[cp][id]);
    }

    function operatorOf(address cp) external view returns (address) {
        return _providers[cp].operator;
    }

    function signsFor(address cp, address account, uint256 since) external view returns (bool) {
        return account != address(0) && (account == cp || account == _providers[cp].operator || _operatorUntil[cp][account] > since);
    }

    function nodesOf(address cp) external view returns (uint32) {
        return _providers[cp].nNode;
    }

    function _terms(Node storage node, uint32 rev) private view returns (Terms memory) {
        Offer storage offer = node.offers[rev];
        return Terms({
            pCPU: offer.pCPU * GWEI,
            pGPU: offer.pGPU * GWEI,
            pMEM: offer.pMEM * GWEI,
            pDISK: offer.pDISK * GWEI,
            nCPU: offer.nCPU,
            nGPU: offer.nGPU,
            nMEM: offer.nMEM,
            nDISK: offer.nDISK
        });
    }

    function _minTerm(Node storage node) internal view returns (uint32) {
        uint32 minTerm = node.minTerm;
        return minTerm < MIN_DURATION ? MIN_DURATION : minTerm;
    }

    function _existing(address cp, uint64 id) internal view returns (Node storage node) {
        node = _nodes[cp][id];
        if (!node.exist) revert NodeNotFound(cp, id);
    }

    function _pageSize(uint256 length, uint256 start, uint256 num) private pure returns (uint256) {
        if (num > MAX_PAGE) revert PageTooLong(num, MAX_PAGE);
        if (start >= length) return 0;
        return num < length - start ? num : length - start;
    }
}
