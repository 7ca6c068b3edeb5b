// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Findings } from "../../../src/Findings.sol";
import { Monitors } from "../../../src/Monitors.sol";
import { IFindings } from "../../../src/interfaces/IFindings.sol";
import { MaintenanceBase } from "../../monitors/MaintenanceBase.sol";

contract FindingsConstructorTest is MaintenanceBase {
    function test_WhenItsPredecessorHasAnotherPace_ItRevertsWithOtherPace() public {
        uint256[2][2] memory paces = [[uint256(150), 96], [uint256(300), 48]];
        for (uint256 i = 0; i < paces.length; ++i) {
            Monitors other = new Monitors(access, address(credit), paces[i][0], paces[i][1]);
            vm.expectRevert(IFindings.OtherPace.selector);
            new Findings(other, validator, findings);
        }
    }

    function test_WhenItHasNot_ItGoesOnWithWhatThatOneWasTold() public {
        announce(firstEpoch(), 96);
        Findings next = new Findings(new Monitors(access, address(credit), EPOCH, EPOCHS), validator, findings);
        assertEq(address(next.predecessor()), address(findings));
        assertEq(next.maintenanceIn(provider, nodeId, period), ALL);
    }
}
