// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Findings } from "../../../src/Findings.sol";
import { Monitors } from "../../../src/Monitors.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsConstructorTest is MonitorsBase {
    function test_WhenThePaceIsOutOfItsBounds_ItRevertsWithPaceOutOfBounds() public {
        uint256[2][5] memory paces = [[uint256(0), 96], [uint256(301), 96], [uint256(300), 0], [uint256(300), 104], [uint256(300), 12]];
        for (uint256 i = 0; i < paces.length; ++i) {
            vm.expectRevert(IMonitors.PaceOutOfBounds.selector);
            new Monitors(access, address(credit), paces[i][0], paces[i][1]);
        }
    }

    function test_WhenItIsNot_ItCountsTimeAtThatPace() public {
        Monitors fast = new Monitors(access, address(credit), 20, 16);
        assertEq(fast.epochSeconds(), 20);
        assertEq(fast.epochsPerPeriod(), 16);
        assertEq(fast.window(), 40);
        assertEq(new Findings(fast, validator, IFindings(address(0))).challenge(), 160);
    }
}
