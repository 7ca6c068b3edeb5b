// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";

contract FindingsMaintenanceWindowsTest is MaintenanceBase {
    function test_WhenNothingIsAnnounced_ItIsEmpty() public view {
        assertEq(windows(), 0);
    }

    function test_WhenWindowsAreAnnounced_ItHasEachIn32Bits() public {
        announce(firstEpoch() + 5, 10);
        announce(firstEpoch() + 20, 30);
        assertEq(windows(), window(5, 10) | window(20, 30) << 32);
    }

    function test_WhenOnlyThePredecessorWasTold_ItHasWhatThatOneHas() public {
        announce(firstEpoch() + 5, 10);
        replaceFindings();
        replaceFindings();
        assertEq(windows(), window(5, 10));
    }

    function test_WhenItWasToldItself_ItHasWhatThePredecessorHadThenAndWhatItWasTold() public {
        announce(firstEpoch() + 5, 10);
        IFindings before = findings;
        replaceFindings();
        announce(firstEpoch() + 20, 30);
        vm.prank(provider);
        before.withdrawMaintenance(nodes(nodeId), firstEpoch() + 5, 10);
        assertEq(windows(), window(5, 10) | window(20, 30) << 32);
    }

    function windows() private view returns (uint256) {
        return findings.maintenanceWindows(provider, nodeId, firstEpoch() / MONTH_EPOCHS);
    }

    function window(uint256 first, uint256 epochs) private view returns (uint256) {
        return (firstEpoch() % MONTH_EPOCHS + first) << 16 | epochs;
    }
}
