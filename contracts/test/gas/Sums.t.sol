// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { Base } from "../Base.t.sol";

/// @notice Sums that are not stored are added up by the view that tells them: that has to fit into a call of 50M gas, which only optimized
/// code does.
contract SumsGasTest is Base {
    uint256 internal constant CALL = 50_000_000;
    uint256 internal constant MANY = 10_000;
    uint256 internal constant PROVIDERS = 1;
    uint256 internal constant LIST = 3;
    /// @dev One node, 2 GB of memory and 3 of storage.
    bytes32 internal constant SOLD = bytes32(uint256((1 << 32) + (2 << 104) + (3 << 184)));

    function test_TenThousandProvidersAreAddedUpInOneCall() public {
        sellOneNodeOfEach(MANY);
        vm.cool(address(registry));
        IRegistry.Global memory sums = registry.gInfo{ gas: CALL }();
        assertEq(abi.encode(sums.nodeUsed, sums.memUsed, sums.diskUsed), abi.encode(MANY, 2 * MANY, 3 * MANY));
    }

    /// @dev Written to the slots of the list and of the providers; see snapshots/layout.
    function sellOneNodeOfEach(uint256 count) private {
        uint256 list = uint256(keccak256(abi.encode(LIST)));
        vm.store(address(registry), bytes32(LIST), bytes32(count));
        for (uint256 i = 0; i < count; ++i) {
            vm.store(address(registry), bytes32(list + i), bytes32(i + 1));
            vm.store(address(registry), keccak256(abi.encode(i + 1, PROVIDERS)), SOLD);
        }
    }
}
