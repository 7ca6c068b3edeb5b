// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";

contract FindingsMaintenanceInTest is MaintenanceBase {
    function test_WhenNothingIsAnnounced_ItIsEmpty() public view {
        assertEq(announcedIn(period), 0);
    }

    function test_WhenItReachesOverTheEndOfAPeriod_EachPeriodHasItsPart() public {
        announce(firstEpoch() + 90, 12);
        assertEq(announcedIn(period - 1), 0);
        assertEq(announcedIn(period), uint256(63) << 90);
        assertEq(announcedIn(period + 1), 63);
        assertEq(announcedIn(period + 2), 0);
    }

    function test_WhenThereIsMoreThanOnePiece_ItHasAllOfThem() public {
        announce(firstEpoch() + 95, 1);
        announce(firstEpoch(), 1);
        announce(firstEpoch() + 10, 2);
        assertEq(announcedIn(period), (1 << 95) | 1 | (3 << 10));
    }
}
