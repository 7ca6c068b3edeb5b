// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ReportTree } from "../../src/libraries/ReportTree.sol";
import { VectorFile } from "../fixtures/VectorFile.sol";

contract ReportTreeTest is VectorFile {
    function rootOf(bytes32 key, bytes32 leaf, bytes32[] calldata siblings) external pure returns (bytes32) {
        return ReportTree.rootOf(key, leaf, siblings);
    }

    function test_Vectors() public {
        uint256 count = load("reportTree");
        for (uint256 i = 0; i < count; ++i) {
            bytes32[] memory siblings = vm.parseJsonBytes32Array(json, path(i, "siblings"));
            bytes32 root = this.rootOf(vm.parseJsonBytes32(json, path(i, "key")), vm.parseJsonBytes32(json, path(i, "leaf")), siblings);
            assertEq(root, vm.parseJsonBytes32(json, path(i, "root")));
        }
    }

    function test_MoreSiblingsThanAKeyHasBitsLeadNowhere() public view {
        assertNotEq(this.rootOf("key", "leaf", new bytes32[](256)), 0);
        assertEq(this.rootOf("key", "leaf", new bytes32[](257)), 0);
    }

    /// @dev A second value of a key under one root would be a leaf that is also an inner node, or two hashes of one node.
    function testFuzz_AKeyHasOneLeafUnderARoot(bytes32 key, bytes32 leaf, bytes32 other, bytes32[3] memory way, uint256 cut) public view {
        vm.assume(leaf != other);
        bytes32[] memory siblings = new bytes32[](3);
        for (uint256 i = 0; i < 3; ++i) {
            siblings[i] = way[i];
        }
        bytes32 root = this.rootOf(key, leaf, siblings);
        bytes32[] memory shorter = new bytes32[](cut % 4);
        for (uint256 i = 0; i < shorter.length; ++i) {
            shorter[i] = siblings[3 - shorter.length + i];
        }
        assertNotEq(this.rootOf(key, other, shorter), root);
        assertNotEq(this.rootOf(~key, leaf, siblings), root);
    }
}
