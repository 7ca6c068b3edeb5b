// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { IFindings } from "../interfaces/IFindings.sol";

/// @title Validator
/// @notice What a Market trusts: final downtime, and reward vouchers of the rewarder.
abstract contract Validator is IFindings {
    bytes32 private constant DOWNTIME_TYPEHASH = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
    bytes32 private constant WITHDRAW_TYPEHASH = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    address public immutable rewarder;

    mapping(address market => mapping(uint64 orderId => Downtime)) internal _downtimes;

    constructor(address rewarder_) {
        rewarder = rewarder_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        bool isValid = signature.length == 96 ? _isDowntime(digest, signature) : _isVoucher(digest, signature);
        return isValid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function maintenanceOf(address market, uint64 orderId) external view returns (uint32) {
        return _downtimes[market][orderId].maintenance;
    }

    function downtimeOf(address market, uint64 orderId) external view returns (Downtime memory) {
        return _downtimes[market][orderId];
    }

    function _isDowntime(bytes32 digest, bytes calldata signature) private view returns (bool) {
        (uint64 orderId, uint32 total, uint40 asOf) = abi.decode(signature, (uint64, uint32, uint40));
        Downtime memory downtime = _downtimes[msg.sender][orderId];
        return asOf != 0 && downtime.total == total && downtime.asOf == asOf
            && digest == _marketDigest(msg.sender, keccak256(abi.encode(DOWNTIME_TYPEHASH, orderId, total, asOf)));
    }

    function _isVoucher(bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address account, uint256 amount, uint256 nonce, uint256 deadline, bytes memory signed) =
            abi.decode(signature, (address, uint256, uint256, uint256, bytes));
        return digest == _marketDigest(msg.sender, keccak256(abi.encode(WITHDRAW_TYPEHASH, account, amount, nonce, deadline)))
            && SignatureCheckerLib.isValidSignatureNow(rewarder, digest, signed);
    }

    function _marketDigest(address market, bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Rackfair Market"), keccak256("1"), block.chainid, market));
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }
}
