// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Attestations
/// @notice What an operator signs for a monitor that asks about a node: its last word is whom it is for.
library Attestations {
    bytes32 private constant TYPEHASH = keccak256(
        "Attestation(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch,bytes32 beacon,bool healthy,bytes32 deployment,bytes32 image,address monitor)"
    );

    /// @notice The part that all attestations about an order have in common.
    function head(address market, uint64 orderId, address provider, uint64 nodeId) internal pure returns (bytes memory) {
        return abi.encode(TYPEHASH, market, orderId, provider, nodeId);
    }

    /// @notice The hash of one, by that part and the rest.
    function hashOf(bytes memory head_, uint256 epoch, bytes32 beacon, bool healthy, bytes32 deployment, bytes32 image, address monitor)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(bytes.concat(head_, abi.encode(epoch, beacon, healthy, deployment, image, monitor)));
    }
}
