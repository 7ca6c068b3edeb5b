// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeGetPledgeTest is Base {
    function test_WhenTheAccountNeverPledged_ItTellsZeros() public view {
        IPledge.PledgeInfo memory info = pledge.getPledge(provider);
        assertEq(abi.encode(info), abi.encode(IPledge.PledgeInfo(provider, 0, 0, 0, 0, false)));
    }

    function test_WhenItHasPledged_ItTellsThePledgeAndTheInterestUpToNow() public {
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1200 * USD);
        lockFor(provider, 1, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        pass(365 days);
        IPledge.PledgeInfo memory info = pledge.getPledge(provider);
        assertEq(abi.encode(info), abi.encode(IPledge.PledgeInfo(provider, 1200 * USD, 1000 * USD, 100 * USD, GENESIS, true)));
    }

    function test_WhenItTookAllOfItBack_ItStillExists() public {
        pledgeFor(provider, 1000 * USD);
        vm.prank(provider);
        pledge.unpledge(address(credit), 1000 * USD);
        IPledge.PledgeInfo memory info = pledge.getPledge(provider);
        assertTrue(info.exist);
        assertEq(info.pledge, 0);
    }
}
