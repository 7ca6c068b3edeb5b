// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "./MonitorsBase.sol";

/// @notice A provider that announces maintenance in a period far enough ahead, in the middle of a month.
abstract contract MaintenanceBase is MonitorsBase {
    uint64 internal constant EPOCHS = 96;
    uint64 internal constant MONTH_EPOCHS = 90 * EPOCHS;

    function setUp() public virtual override {
        super.setUp();
        while (period % 90 != 10) ++period;
        vm.warp(uint256(period - 4) * PERIOD);
    }

    function firstEpoch() internal view returns (uint64) {
        return period * EPOCHS;
    }

    function nodes(uint64 one) internal pure returns (uint64[] memory ids) {
        ids = new uint64[](1);
        ids[0] = one;
    }

    function announce(uint64 first, uint16 epochs) internal {
        vm.prank(provider);
        findings.announceMaintenance(nodes(nodeId), first, epochs);
    }

    function withdraw(uint64 first, uint16 epochs) internal {
        vm.prank(provider);
        findings.withdrawMaintenance(nodes(nodeId), first, epochs);
    }

    function announcedIn(uint64 one) internal view returns (uint256) {
        return findings.maintenanceIn(provider, nodeId, one);
    }
}
