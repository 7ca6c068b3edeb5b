// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Vm } from "forge-std/Vm.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IPledge } from "../../src/interfaces/IPledge.sol";
import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { MIN_DURATION } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Set } from "../../src/types/Set.sol";
import { Service } from "../../src/types/Service.sol";

/// @notice The state of the market, rebuilt only from its events.
contract Replay {
    uint256 private constant INDEX_ONE = 1e27;
    uint256 public constant REWARD_SPAN = 8 hours;
    uint256 private constant REWARD_UNIT = 1e12;

    struct Account {
        uint256 balance;
        uint256 locked;
        uint256 interest;
        uint256 index;
        uint40 lastTime;
        bool exist;
    }

    struct Provider {
        bool exist;
        string name;
        string ip;
        string domain;
        uint16 port;
        address operator;
        uint64 lastNode;
    }

    mapping(uint64 id => IMarket.Order) internal _orders;
    mapping(uint64 id => uint256) public commissionOf;
    mapping(uint64 id => uint256) public compensationOf;
    mapping(address account => bool) public hasCompensated;
    mapping(address cp => Provider) internal _providers;
    mapping(address cp => mapping(uint64 id => IRegistry.NodeView)) internal _nodes;
    mapping(address account => Account) public accounts;
    mapping(address market => mapping(address provider => uint256)) public earned;
    mapping(address market => mapping(address account => uint256)) public nonces;
    mapping(address market => uint256) public commission;
    mapping(address market => uint256) public rewards;
    mapping(address market => mapping(bytes32 name => uint256)) public params;
    mapping(IAccess.Role => address) public holder;
    mapping(address market => bool) public inService;
    mapping(uint32 ver => Set) internal _sets;
    mapping(address market => mapping(uint256 span => uint256)) public rewarded;
    mapping(address market => mapping(address user => uint64[])) internal _bought;
    mapping(address market => mapping(address provider => uint64[])) internal _sold;
    uint256 public totalPledged;
    uint256 public pool;
    uint256 public owed;
    uint256 public index;
    uint256 public rate;
    uint32 public version;
    uint40 public pausedUntil;

    function getOrder(uint64 id) external view returns (IMarket.Order memory) {
        return _orders[id];
    }

    function getSet(uint32 ver) external view returns (Set memory) {
        return _sets[ver];
    }

    /// @notice Ids of the orders that `user` bought from `market`, oldest first.
    function boughtIds(address market, address user) external view returns (uint64[] memory) {
        return _bought[market][user];
    }

    /// @notice Ids of the orders that `provider` sold through `market`, oldest first.
    function soldIds(address market, address provider) external view returns (uint64[] memory) {
        return _sold[market][provider];
    }

    function getNode(address cp, uint64 id) external view returns (IRegistry.NodeView memory) {
        return _nodes[cp][id];
    }

    function getProvider(address cp) external view returns (Provider memory) {
        return _providers[cp];
    }

    function interestOf(address account) external view returns (uint256) {
        return _interest(accounts[account]);
    }

    function apply_(Vm.Log[] calldata logs, uint40 time) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            Vm.Log calldata log = logs[i];
            bytes32 topic = log.topics[0];
            if (!_applyMarket(log, topic, time) && !_applyRegistry(log, topic)) {
                if (!_applyPledge(log, topic, time)) _applyAccess(log, topic);
            }
        }
    }

    function _applyMarket(Vm.Log calldata log, bytes32 topic, uint40 time) private returns (bool) {
        if (topic == IMarket.OrderCreated.selector) _created(log, time);
        else if (topic == IMarket.OrderSettled.selector) _settled(log);
        else if (topic == IMarket.OrderClosed.selector) _closed(log);
        else if (topic == IMarket.OrderActivated.selector) _activated(log);
        else if (topic == IMarket.OrderDeployed.selector) _orders[_id(log, 1)].deployed = true;
        else if (topic == IMarket.OrderConfirmed.selector) _orders[_id(log, 1)].userConfirm = true;
        else if (topic == IMarket.OrderExtended.selector) _extended(log);
        else if (topic == IMarket.DowntimeCredited.selector) _reported(log);
        else if (topic == IMarket.PaymentPending.selector) (, _orders[_id(log, 1)].pendingUntil) = abi.decode(log.data, (uint256, uint40));
        else if (topic == IMarket.PendingSettled.selector) _decided(log);
        else if (topic == IMarket.BuyerCompensated.selector) compensationOf[_id(log, 1)] += abi.decode(log.data, (uint256));
        else if (topic == IMarket.ProviderWithdrawn.selector) earned[log.emitter][_address(log, 1)] -= abi.decode(log.data, (uint256));
        else if (topic == IMarket.CommissionTaken.selector) _taken(log);
        else if (topic == IMarket.DowntimeCompensated.selector) _paidTwice(log);
        else if (topic == IMarket.RewardsFunded.selector) rewards[log.emitter] += abi.decode(log.data, (uint256));
        else if (topic == IMarket.VoucherPaid.selector) _voucher(log, time);
        else if (topic == IMarket.ParamSet.selector) params[log.emitter][log.topics[1]] = abi.decode(log.data, (uint256));
        else return false;
        return true;
    }

    function _applyRegistry(Vm.Log calldata log, bytes32 topic) private returns (bool) {
        if (topic == IRegistry.ProviderRegistered.selector || topic == IRegistry.ProviderRevised.selector) {
            Provider storage p = _providers[_address(log, 1)];
            p.exist = true;
            (p.name, p.ip, p.domain, p.port) = abi.decode(log.data, (string, string, string, uint16));
        } else if (topic == IRegistry.OperatorSet.selector) {
            _providers[_address(log, 1)].operator = _address(log, 2);
        } else if (topic == IRegistry.NodeAdded.selector) {
            _offer(log, 1, abi.decode(log.data, (IRegistry.NodeInput)));
            (_node(log).online, _node(log).minTerm) = (true, MIN_DURATION);
            _providers[_address(log, 1)].lastNode = _id(log, 2);
        } else if (topic == IRegistry.NodeUpdated.selector) {
            (uint32 rev, IRegistry.NodeInput memory input) = abi.decode(log.data, (uint32, IRegistry.NodeInput));
            _offer(log, rev, input);
        } else if (topic == IRegistry.NodeDeleted.selector) {
            delete _nodes[_address(log, 1)][_id(log, 2)];
        } else if (topic == IRegistry.NodeSoldSet.selector) {
            bool sold = abi.decode(log.data, (bool));
            _node(log).orderId = sold ? _id(log, 3) : 0;
            _node(log).sold = sold;
            _node(log).avail = false;
        } else if (topic == IRegistry.NodeAvailSet.selector) {
            _node(log).avail = abi.decode(log.data, (bool));
        } else if (topic == IRegistry.OnlineSet.selector) {
            _node(log).online = abi.decode(log.data, (bool));
        } else if (topic == IRegistry.MinTermSet.selector) {
            uint32 minTerm = abi.decode(log.data, (uint32));
            _node(log).minTerm = minTerm < MIN_DURATION ? MIN_DURATION : minTerm;
        } else if (topic == IRegistry.MarketSet.selector) {
            inService[_address(log, 1)] = abi.decode(log.data, (Service)) != Service.None;
        } else {
            return false;
        }
        return true;
    }

    function _applyPledge(Vm.Log calldata log, bytes32 topic, uint40 time) private returns (bool) {
        if (topic == IPledge.Pledged.selector || topic == IPledge.Unpledged.selector || topic == IPledge.Compensated.selector) {
            Account storage account = _sync(_address(log, 1), time);
            (, uint256 balance) = abi.decode(log.data, (uint256, uint256));
            if (topic == IPledge.Compensated.selector) hasCompensated[_address(log, 1)] = true;
            account.exist = true;
            totalPledged = totalPledged + balance - account.balance;
            account.balance = balance;
        } else if (topic == IPledge.Locked.selector || topic == IPledge.Unlocked.selector) {
            Account storage account = _sync(_address(log, 1), time);
            uint256 amount;
            (amount, account.locked) = abi.decode(log.data, (uint256, uint256));
            IMarket.Order storage o = _orders[_id(log, 2)];
            o.locked = topic == IPledge.Locked.selector ? o.locked + amount : o.locked - amount;
        } else if (topic == IPledge.InterestAccrued.selector) {
            uint256 used;
            (index, used,) = abi.decode(log.data, (uint256, uint256, uint40));
            pool -= used;
            owed += used;
        } else if (topic == IPledge.InterestWithdrawn.selector) {
            _sync(_address(log, 1), time).interest = 0;
            owed -= abi.decode(log.data, (uint256));
        } else if (topic == IPledge.InterestFunded.selector) {
            pool += abi.decode(log.data, (uint256));
        } else if (topic == IPledge.RateSet.selector) {
            rate = abi.decode(log.data, (uint256));
        } else {
            return false;
        }
        return true;
    }

    function _applyAccess(Vm.Log calldata log, bytes32 topic) private {
        if (topic == IAccess.VersionPublished.selector) _published(log);
        else if (topic == IAccess.RoleSet.selector) holder[IAccess.Role(uint256(log.topics[1]))] = _address(log, 2);
        else if (topic == IAccess.Paused.selector) pausedUntil = abi.decode(log.data, (uint40));
        else if (topic == IAccess.Unpaused.selector) pausedUntil = 0;
    }

    function _created(Vm.Log calldata log, uint40 time) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        o.id = _id(log, 1);
        o.user = _address(log, 2);
        o.provider = _address(log, 3);
        o.status = OrderStatus.Created;
        o.lastSettleTime = time;
        IMarket.Conditions memory conditions;
        (o.nodeId,, o.duration, o.totalValue, o.rate, conditions,) =
            abi.decode(log.data, (uint64, uint32, uint32, uint256, uint256, IMarket.Conditions, string));
        // A node that is sold is at the revision that was bought.
        IRegistry.NodeView storage terms = _nodes[o.provider][o.nodeId];
        o.remain = o.totalValue;
        (o.probation, o.holdback, o.penalty, o.commissionBps) =
        (conditions.probation, conditions.holdback, conditions.penalty, conditions.commissionBps);
        (o.pCPU, o.pGPU, o.pMEM, o.pDISK) = (terms.pCPU, terms.pGPU, terms.pMEM, terms.pDISK);
        (o.nCPU, o.nGPU, o.nMEM, o.nDISK) = (terms.nCPU, terms.nGPU, terms.nMEM, terms.nDISK);
        _bought[log.emitter][o.user].push(o.id);
        _sold[log.emitter][o.provider].push(o.id);
    }

    function _paidTwice(Vm.Log calldata log) private {
        uint256 amount;
        (_orders[_id(log, 1)].creditedTwice, amount) = abi.decode(log.data, (uint32, uint256));
        compensationOf[_id(log, 1)] += amount;
    }

    function _taken(Vm.Log calldata log) private {
        (uint256 amount, uint256 toInterest, uint256 toMonitors) = abi.decode(log.data, (uint256, uint256, uint256));
        commission[log.emitter] -= amount + toInterest + toMonitors;
    }

    function _published(Vm.Log calldata log) private {
        version = uint32(uint256(log.topics[1]));
        (_sets[version],) = abi.decode(log.data, (Set, uint64));
    }

    function _activated(Vm.Log calldata log) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        o.status = OrderStatus.Active;
        o.providerConfirm = true;
        o.activateTime = abi.decode(log.data, (uint40));
        o.lastSettleTime = o.activateTime;
    }

    function _extended(Vm.Log calldata log) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        uint256 paid;
        (o.duration, paid) = abi.decode(log.data, (uint32, uint256));
        o.totalValue += paid;
        o.remain += paid;
        if (address(uint160(uint256(log.topics[2]))) == o.user) o.userConfirm = true;
    }

    function _settled(Vm.Log calldata log) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        uint256 gross;
        uint256 cut;
        (o.lastSettleTime, gross, cut) = abi.decode(log.data, (uint40, uint256, uint256));
        o.remuneration += gross;
        o.remain -= gross;
        earned[log.emitter][o.provider] += gross - cut;
        commission[log.emitter] += cut;
        commissionOf[o.id] += cut;
    }

    function _closed(Vm.Log calldata log) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        uint256 refunded;
        (o.status,, refunded) = abi.decode(log.data, (OrderStatus, uint40, uint256));
        o.remain -= refunded;
    }

    function _reported(Vm.Log calldata log) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        (o.down, o.reportedUntil, o.downSince) = abi.decode(log.data, (uint32, uint40, uint40));
    }

    function _decided(Vm.Log calldata log) private {
        IMarket.Order storage o = _orders[_id(log, 1)];
        o.remain -= abi.decode(log.data, (uint256));
        o.pendingUntil = 0;
    }

    function _voucher(Vm.Log calldata log, uint40 time) private {
        (uint256 amount, uint256 nonce) = abi.decode(log.data, (uint256, uint256));
        rewards[log.emitter] -= amount;
        rewarded[log.emitter][time / REWARD_SPAN] += (amount + REWARD_UNIT - 1) / REWARD_UNIT * REWARD_UNIT;
        nonces[log.emitter][_address(log, 1)] = nonce + 1;
    }

    function _offer(Vm.Log calldata log, uint32 rev, IRegistry.NodeInput memory input) private {
        IRegistry.NodeView storage n = _node(log);
        (n.id, n.cp, n.exist, n.rev) = (_id(log, 2), _address(log, 1), true, rev);
        (n.cpuModel, n.gpuModel) = (input.cpuModel, input.gpuModel);
        (n.nCPU, n.core, n.nGPU, n.nMEM, n.nDISK) = (input.nCPU, input.core, input.nGPU, input.nMEM, input.nDISK);
        (n.pCPU, n.pGPU, n.pMEM, n.pDISK) = (input.pCPU, input.pGPU, input.pMEM, input.pDISK);
    }

    function _sync(address who, uint40 time) private returns (Account storage account) {
        account = accounts[who];
        account.interest = _interest(account);
        account.index = index;
        account.lastTime = time;
    }

    function _interest(Account storage account) private view returns (uint256) {
        return account.interest + account.locked * (index - account.index) / INDEX_ONE;
    }

    function _node(Vm.Log calldata log) private view returns (IRegistry.NodeView storage) {
        return _nodes[_address(log, 1)][_id(log, 2)];
    }

    function _id(Vm.Log calldata log, uint256 topic) private pure returns (uint64) {
        return uint64(uint256(log.topics[topic]));
    }

    function _address(Vm.Log calldata log, uint256 topic) private pure returns (address) {
        return address(uint160(uint256(log.topics[topic])));
    }
}
