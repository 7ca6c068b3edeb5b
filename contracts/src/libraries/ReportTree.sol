// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title ReportTree
/// @notice A binary tree with one place for each key: the bits of a key, from its highest, say at every node whether to go left (0) or
/// right (1), and its leaf stands where no other leaf shares the way.
/// @dev An inner node is the hash of its two children, 64 bytes; a child without leaves is zero. A leaf must be the hash of anything but 64
/// bytes. A node cannot be both, so on the way of a key there is at most one leaf: a root commits to one value for each key, not to a set.
library ReportTree {
    /// @notice The root reached from the leaf of a key.
    /// @param siblings From the leaf upwards. More than a key has bits lead nowhere: the result is zero.
    function rootOf(bytes32 key, bytes32 leaf, bytes32[] calldata siblings) internal pure returns (bytes32 root) {
        uint256 depth = siblings.length;
        if (depth > 256) return 0;
        root = leaf;
        for (uint256 i = 0; i < depth; ++i) {
            bool isRight = (uint256(key) >> (256 - depth + i)) & 1 == 1;
            (bytes32 left, bytes32 right) = isRight ? (siblings[i], root) : (root, siblings[i]);
            root = keccak256(bytes.concat(left, right));
        }
    }

    /// @notice Whether the way to the leaf of `key` is the way to `target`, which turns only where nothing stands on its side: every tree
    /// has one such leaf for each target. For siblings that lead to the root.
    function isOnTheWay(bytes32 key, bytes32 target, bytes32[] calldata siblings) internal pure returns (bool) {
        uint256 depth = siblings.length;
        uint256 apart = uint256(key ^ target);
        for (uint256 i = 0; i < depth; ++i) {
            if ((apart >> (256 - depth + i)) & 1 == 1 && siblings[i] != 0) return false;
        }
        return true;
    }
}
