// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { Monitors } from "../../../src/Monitors.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { Attestations } from "../../../src/libraries/Attestations.sol";
import { Watching } from "./Watching.sol";

/// @notice What watchers and operators sign, and what is shown of a report: a tree with one leaf for each of the two orders.
abstract contract Statements is Watching {
    function _vote(address account, uint64 period, uint256 order) internal view returns (IMonitors.Vote memory vote) {
        Told storage told = _told[account][period][order];
        vote.monitor = account;
        vote.report = IMonitors.Report(told.observed, told.down);
        vote.proof = _siblings(_leaf(1 - order, period, _told[account][period][1 - order]));
    }

    function _sample(address account, uint64 period, uint256 order, bytes32 beacon, uint96 up)
        internal
        view
        returns (IMonitors.Sample memory sample)
    {
        (sample.market, sample.orderId, sample.vote) = (_market, orderIds[order], _vote(account, period, order));
        if (up == 0) return sample;
        bytes32 target = keccak256(abi.encode("sample", beacon, account, uint256(0)));
        uint256 epoch = uint256(period) * EPOCHS + _nth(up, uint256(keccak256(abi.encode(target))) % LibBit.popCount(up));
        sample.signature = _sign(_operatorKey, _attestation(account, order, epoch));
    }

    /// @dev Of a tree with two leaves, the one on the side of the target.
    function _sampled(bytes32 target) internal view returns (uint256 order) {
        uint256 apart = 255 - _depth();
        return (uint256(target) >> apart) & 1 == (uint256(_placeOf(0)) >> apart) & 1 ? 0 : 1;
    }

    function _nth(uint96 bits, uint256 n) private pure returns (uint256 epoch) {
        for (; n > 0; --n) {
            bits &= bits - 1;
        }
        return LibBit.ffs(bits);
    }

    function _attestation(address account, uint256 order, uint256 epoch) private view returns (bytes32) {
        bytes memory head = Attestations.head(_market, orderIds[order], _providers[order], _nodeIds[order]);
        return Attestations.hashOf(head, epoch, 0, true, 0, 0, account);
    }

    function _acknowledgement(uint256 order, uint256 epoch) internal view returns (bytes32) {
        bytes32 typeHash = keccak256("Acknowledgement(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch)");
        return keccak256(abi.encode(typeHash, _market, orderIds[order], _providers[order], _nodeIds[order], epoch));
    }

    /// @dev Something that was signed, by the monitor or by somebody else, but not this.
    function _otherSignature(address account, uint64 period, uint256 order, uint8 epoch, uint256 seed)
        internal
        view
        returns (bytes memory)
    {
        uint256 now_ = uint256(period) * EPOCHS + epoch;
        uint256 key = _ackKey[account][period];
        if (seed % 4 == 0) return _sign(key == 0 ? 1 : key, _acknowledgement(1 - order, now_));
        if (seed % 4 == 1) return _sign(key == 0 ? 1 : key, _acknowledgement(order, now_ + EPOCHS));
        if (seed % 4 == 2) return _sign(_key(people[ACTIVE - 1], 99), _acknowledgement(order, now_));
        return "";
    }

    function _leaf(uint256 order, uint64 period, Told memory told) internal view returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(_market, orderIds[order], period, told.observed, told.down))));
    }

    function _placeOf(uint256 order) private view returns (bytes32) {
        return keccak256(abi.encode(_market, orderIds[order]));
    }

    /// @dev How many bits the keys of the two orders have in common.
    function _depth() private view returns (uint256) {
        return 255 - LibBit.fls(uint256(_placeOf(0) ^ _placeOf(1)));
    }

    function _siblings(bytes32 other) internal view returns (bytes32[] memory siblings) {
        siblings = new bytes32[](_depth() + 1);
        siblings[0] = other;
    }

    function _rootOf(uint256 order, bytes32 leaf, bytes32[] memory siblings) internal view returns (bytes32 root) {
        root = leaf;
        for (uint256 i = 0; i < siblings.length; ++i) {
            bool isRight = (uint256(_placeOf(order)) >> (256 - siblings.length + i)) & 1 == 1;
            root = isRight ? keccak256(bytes.concat(siblings[i], root)) : keccak256(bytes.concat(root, siblings[i]));
        }
    }

    function _sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        bytes32 typeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(typeHash, keccak256("Rackfair Monitors"), keccak256("1"), block.chainid, address(monitors)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
