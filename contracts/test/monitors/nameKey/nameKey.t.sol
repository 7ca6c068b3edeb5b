// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsNameKeyTest is MonitorsBase {
    function nameAs(address account, address key) private {
        vm.prank(account);
        monitors.nameKey(key);
    }

    function test_WhenTheCallerDoesNotMonitor_ItRevertsWithNotMonitor() public {
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, stranger));
        nameAs(stranger, stranger);
        vm.prank(accounts[0]);
        monitors.resign();
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotMonitor.selector, accounts[0]));
        nameAs(accounts[0], stranger);
    }

    function test_WhenTheKeyIsZero_ItRevertsWithNoKey() public {
        vm.expectRevert(IMonitors.NoKey.selector);
        nameAs(accounts[0], address(0));
    }

    function test_WhenAnotherKeyIsNamed_ItSignsWithThatOneAndAnswersForBoth() public {
        address first = monitors.keyOf(accounts[0]);
        vm.expectEmit(address(monitors));
        emit IMonitors.KeyNamed(accounts[0], stranger);
        nameAs(accounts[0], stranger);
        assertEq(monitors.keyOf(accounts[0]), stranger);
        assertTrue(monitors.isKeyOf(accounts[0], first));
        assertTrue(monitors.isKeyOf(accounts[0], stranger));
    }

    /// @dev Otherwise whoever sees a key on its way to the chain could take it away from its owner.
    function test_WhenAnotherMonitorHasNamedTheKey_ItMayBeNamedAllTheSame() public {
        nameAs(accounts[0], monitors.keyOf(accounts[1]));
        nameAs(accounts[1], monitors.keyOf(accounts[1]));
        assertEq(monitors.keyOf(accounts[0]), monitors.keyOf(accounts[1]));
    }
}
