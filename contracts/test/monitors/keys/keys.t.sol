// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsKeysTest is MonitorsBase {
    function test_WhenSomebodyMonitors_ItNamesTheKeyThatEachSignsWith() public {
        vm.prank(accounts[1]);
        monitors.nameKey(stranger);
        vm.prank(accounts[4]);
        monitors.resign();
        (address[] memory who, address[] memory named) = monitors.keys();
        assertEq(abi.encode(who), abi.encode(monitors.monitors()));
        for (uint256 i = 0; i < 4; ++i) {
            assertEq(named[i], vm.addr(i == 1 ? uint256(keccak256("stranger")) : keys[accounts[i]]));
        }
    }
}
