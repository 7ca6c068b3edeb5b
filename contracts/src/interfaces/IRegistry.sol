// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Service } from "../types/Service.sol";
import { Terms } from "../types/Terms.sol";

/// @title Registry
/// @notice The providers, the nodes they offer and at which price, and which order holds which node. A node is sold as a whole.
/// @dev Prices are wei of Credit per unit and MONTH (2,592,000 s), multiples of 1e9. Memory and storage are whole GB.
interface IRegistry {
    /// @notice A provider's description of itself: name 1..64 bytes, ip 1..45, domain 0..253, port 1..65535.
    struct ProviderInput {
        string name;
        string ip;
        string domain;
        uint16 port;
    }

    /// @notice A node as its provider enters it. Models are at most 31 bytes; `core` is the number of cores offered per processor.
    struct NodeInput {
        string cpuModel;
        string gpuModel;
        uint16 nCPU;
        uint16 core;
        uint16 nGPU;
        uint32 nMEM;
        uint32 nDISK;
        uint256 pCPU;
        uint256 pGPU;
        uint256 pMEM;
        uint256 pDISK;
    }

    /// @notice A provider. `nNode`, `nMem`, `nDisk` count what it offers, `uNode`, `uMem`, `uDisk` the part of it that is sold; `lastNode`
    /// is the id of its newest node.
    struct ProviderView {
        address addr;
        string name;
        string ip;
        string domain;
        uint16 port;
        address operator;
        uint32 nNode;
        uint32 uNode;
        uint40 nMem;
        uint40 uMem;
        uint40 nDisk;
        uint40 uDisk;
        uint64 lastNode;
        bool exist;
    }

    /// @notice A node. `rev` increases with every change of its offer; `orderId` is the order that holds it, 0 for none; `avail` means
    /// deployed; `minTerm` is the shortest time, in seconds, for which it is sold.
    struct NodeView {
        uint64 id;
        address cp;
        string cpuModel;
        string gpuModel;
        uint16 nCPU;
        uint16 core;
        uint16 nGPU;
        uint32 nMEM;
        uint32 nDISK;
        uint256 pCPU;
        uint256 pGPU;
        uint256 pMEM;
        uint256 pDISK;
        uint32 rev;
        uint64 orderId;
        bool exist;
        bool sold;
        bool avail;
        bool online;
        uint32 minTerm;
    }

    /// @notice Sums over all providers; `Used` is what is sold.
    struct Global {
        uint64 cpNumber;
        uint64 nodeGlobal;
        uint64 nodeUsed;
        uint64 memGlobal;
        uint64 diskGlobal;
        uint64 memUsed;
        uint64 diskUsed;
    }

    event ProviderRegistered(address indexed cp, string name, string ip, string domain, uint16 port);
    event ProviderRevised(address indexed cp, string name, string ip, string domain, uint16 port);
    /// @notice `operator` may activate, setApp, set_avail, setOnline and setMinTerm for `cp`; zero means the provider alone.
    event OperatorSet(address indexed cp, address indexed operator);
    event NodeAdded(address indexed cp, uint64 indexed id, NodeInput node);
    event NodeUpdated(address indexed cp, uint64 indexed id, uint32 rev, NodeInput node);
    event NodeDeleted(address indexed cp, uint64 indexed id);
    /// @notice Order `orderId` holds the node (`sold`) or has freed it; `avail` is false after either.
    event NodeSoldSet(address indexed cp, uint64 indexed id, uint64 indexed orderId, bool sold);
    event NodeAvailSet(address indexed cp, uint64 indexed id, bool avail);
    event OnlineSet(address indexed cp, uint64 indexed id, bool online);
    /// @notice The node is sold for at least `minTerm` seconds from now on; 0 means an hour.
    event MinTermSet(address indexed cp, uint64 indexed id, uint32 minTerm);
    /// @notice From now on `market` may do with nodes of this Registry what `service` says.
    event MarketSet(address indexed market, Service service);

    /// @notice `holder` has a name that reads the same: case, full width, spaces, punctuation and confusable letters make no difference.
    error NameTaken(address holder);
    /// @notice The name has no letter or digit.
    error NameUnreadable();
    /// @notice `cp` is already registered.
    error AlreadyRegistered(address cp);
    /// @notice `cp` is not registered.
    error NotRegistered(address cp);
    /// @notice `caller` is neither the provider `cp` nor its operator.
    error NotOperator(address caller, address cp);
    /// @notice The text `field` has `length` bytes, which is not within `min` to `max`.
    error LengthOutOfBounds(string field, uint256 length, uint256 min, uint256 max);
    /// @notice The number `field` is `value`, which is not within `min` to `max`.
    error CountOutOfBounds(string field, uint256 value, uint256 min, uint256 max);
    /// @notice A node needs at least one processor or GPU.
    error NoProcessor();
    /// @notice A price must be a multiple of 1e9 wei.
    error PriceGranularity(uint256 price);
    /// @notice A price must be at most `max` wei.
    error PriceTooHigh(uint256 price, uint256 max);
    /// @notice The node would cost `rate` wei per MONTH, more than `max`.
    error RateTooHigh(uint256 rate, uint256 max);
    /// @notice The node would cost nothing.
    error ZeroRate();
    /// @notice A provider may have `max` live nodes: 1,000, or 16 while its pledge is below 1 USD.
    error TooManyNodes(uint256 max);
    /// @notice `cp` has no live node `id`.
    error NodeNotFound(address cp, uint64 id);
    /// @notice Order `orderId` holds the node.
    error NodeSold(address cp, uint64 id, uint64 orderId);
    /// @notice No order holds the node.
    error NodeNotSold(address cp, uint64 id);
    /// @notice The provider has taken the node offline.
    error NodeOffline(address cp, uint64 id);
    /// @notice The buyer has seen revision `want`, the node is at `have`.
    error StaleNode(uint32 want, uint32 have);
    /// @notice Only a Market in service may do this.
    error NotMarket(address caller);
    /// @notice Only Access may do this.
    error NotAccess(address caller);
    /// @notice The guardian has paused entries.
    error EntriesPaused();
    /// @notice A page may hold at most `max` entries.
    error PageTooLong(uint256 num, uint256 max);

    /// @notice Registers the caller as a provider without nodes. Anyone, once. Its name is reserved, also against names that read the same;
    /// see holderOf. Reverts EntriesPaused, AlreadyRegistered, NameTaken, NameUnreadable, LengthOutOfBounds, CountOutOfBounds (port).
    function register(ProviderInput calldata input) external;

    /// @notice Replaces the calling provider's description of itself; a name that it gives up becomes free. Reverts NotRegistered,
    /// NameTaken, NameUnreadable, LengthOutOfBounds, CountOutOfBounds (port).
    function revise(ProviderInput calldata input) external;

    /// @notice The same as revise. Reverts NotRegistered, NameTaken, NameUnreadable, LengthOutOfBounds, CountOutOfBounds (port).
    function updatecp(ProviderInput calldata input) external;

    /// @notice Appoints a hot key of the calling provider that may activate, setApp, set_avail, setOnline and setMinTerm, but never move
    /// money; zero dismisses it. What the key has signed still binds the provider. Reverts NotRegistered.
    function setOperator(address operator) external;

    /// @notice Lists another node of the calling provider, online and at revision 1. Ids count from 1 per provider and are never reused.
    /// @dev Reverts EntriesPaused, NotRegistered, TooManyNodes (above 16 nodes with a pledge below 1 USD, above 1,000 in any case),
    /// NoProcessor, ZeroRate, PriceGranularity, PriceTooHigh, RateTooHigh, LengthOutOfBounds, CountOutOfBounds.
    function add_node(NodeInput calldata input) external returns (uint64 id);

    /// @notice Changes an unsold node of the calling provider and increments its revision, so that open quotes for it become stale.
    /// @dev Reverts NodeNotFound, NodeSold, NoProcessor, ZeroRate, PriceGranularity, PriceTooHigh, RateTooHigh, LengthOutOfBounds, CountOutOfBounds.
    function updatenode(uint64 id, NodeInput calldata input) external;

    /// @notice Delists an unsold node for good. Reverts NodeNotFound, NodeSold.
    function del_node(uint64 id) external;

    /// @notice Sets whether node `id` of `cp` can be bought and extended. Provider or operator, at any time; a running order continues.
    /// Reverts NotOperator, NodeNotFound.
    function setOnline(address cp, uint64 id, bool online) external;

    /// @notice Sets the shortest time, in seconds, for which node `id` of `cp` is sold: at most 6 MONTH; less than an hour means an hour.
    /// Provider or operator, at any time. A running order continues, and can be extended by an hour. Reverts NotOperator, NodeNotFound,
    /// CountOutOfBounds.
    function setMinTerm(address cp, uint64 id, uint32 minTerm) external;

    /// @notice Sets whether the buyer's application runs on the node. Provider or operator; true only while sold. The order remembers the
    /// first true for good.
    /// @dev Reverts NotOperator, NodeNotFound, NodeNotSold.
    function set_avail(address cp, uint64 id, bool avail) external;

    /// @notice Marks the node deployed if order `orderId`, which has to be the caller's, holds it. Only a Market in service, from activateWithApp. Reverts NotMarket.
    function setDeployed(address cp, uint64 id, uint64 orderId) external;

    /// @notice Reserves (`rev` > 0) or frees (`rev` = 0) a node for an order. Only a Market in service.
    /// @dev A draining Market can only free nodes, and only those of its own orders. Reverts NotMarket. Reserving reverts NodeNotFound,
    /// NodeOffline, NodeSold, StaleNode. Freeing does nothing unless this very order holds the node: otherwise it would free a node that
    /// another order has bought meanwhile.
    /// @return rate the price of the node in wei per MONTH when reserving, 0 otherwise
    /// @return minTerm the shortest time, in seconds, for which it is sold, 0 when freeing
    function set_sold(address cp, uint64 id, uint64 orderId, uint32 rev) external returns (uint256 rate, uint32 minTerm);

    /// @notice Sets what `market` may do here and at this Registry's Pledge. Only Access, when it publishes or retires. Reverts NotAccess.
    function setMarket(address market, Service service) external;

    /// @notice What `market` may do with the nodes of this Registry.
    function serviceOf(address market) external view returns (Service);

    /// @notice Whether `market` sells or winds up orders over this Registry.
    function isMarket(address market) external view returns (bool);

    /// @notice The provider whose name is `name` or reads the same, zero if it is free.
    /// @dev Names are the same if they differ only in case, full width, spaces, punctuation, invisible marks, and confusable Latin,
    /// Cyrillic and Greek letters and digits.
    function holderOf(string calldata name) external view returns (address);

    /// @notice Node `id` of `cp`; `exist` is false if there is none or it was deleted.
    function get_node(address cp, uint64 id) external view returns (NodeView memory);

    /// @notice The nodes `start + 1` to `start + num` of `cp`, deleted ones with `exist` false; `num` <= 200, else PageTooLong; empty past the end.
    function list_node(address cp, uint256 start, uint256 num) external view returns (NodeView[] memory);

    /// @notice The provider `cp`; `exist` is false if it never registered.
    function get(address cp) external view returns (ProviderView memory);

    /// @notice A page of the addresses of all providers in the order of registration; `num` <= 200, else PageTooLong; empty past the end.
    function getKeys(uint256 start, uint256 num) external view returns (address[] memory);

    /// @notice A page of all providers in the order of registration; `num` <= 200, else PageTooLong; empty past the end.
    function getList(uint256 start, uint256 num) external view returns (ProviderView[] memory);

    /// @notice A page of all providers in the order of registration, capped at 200 entries, and the number of all providers.
    function listCP(uint256 start, uint256 num) external view returns (ProviderView[] memory list, uint256 total);

    /// @notice Sums over all providers.
    /// @dev What is sold is added up by provider, within 50M gas for 10,000 of them; beyond, add up the pages of getList.
    function gInfo() external view returns (Global memory);

    /// @notice The terms on which node `id` of `cp` would be sold now: terms, rate in wei per MONTH, revision. Reverts NodeNotFound.
    function termsOf(address cp, uint64 id) external view returns (Terms memory terms, uint256 rate, uint32 rev);

    /// @notice The hardware and prices of node `id` of `cp` at revision `rev`; zeros if there was no such revision. They never change, even
    /// if the node is deleted.
    function termsAt(address cp, uint64 id, uint32 rev) external view returns (Terms memory);

    /// @notice The state of a node without its offer.
    function stateOf(address cp, uint64 id) external view returns (uint64 orderId, uint32 rev, bool exist, bool avail, bool online);

    /// @notice The shortest time, in seconds, for which node `id` of `cp` is sold: an hour unless it asks for more.
    function minTermOf(address cp, uint64 id) external view returns (uint32);

    /// @notice The operator of `cp`; zero if it has none.
    function operatorOf(address cp) external view returns (address);

    /// @notice Whether a signature of `account` binds `cp`: it is its own, its operator's, or one of an operator that was replaced after
    /// Unix time `since`.
    function signsFor(address cp, address account, uint256 since) external view returns (bool);

    /// @notice The number of live nodes of `cp`.
    function nodesOf(address cp) external view returns (uint32);

    /// @notice Access and Pledge of this Registry.
    function access() external view returns (address);
    function pledge() external view returns (address);
}
