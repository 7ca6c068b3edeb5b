// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsCreditTest is MonitorsBase {
    function test_WhenTheFindingIsNotFinal_ItRevertsWithNotFinal() public {
        submit(report(three(1, 1, 1)));
        uint40 finalAt = uint40(block.timestamp + 4 hours);
        vm.expectRevert(abi.encodeWithSelector(IMonitors.NotFinal.selector, finalAt));
        monitors.credit(address(market), orderId, period);
    }

    function test_WhenTheFindingIsFinal_ItIsTakenOutOfWhatTheOrderPays() public {
        submit(report(three(ALL, ALL, ALL)));
        pass(4 hours);
        vm.prank(stranger);
        monitors.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 8 hours);
    }

    function test_WhenAFindingIsCreditedAfterAnother_ItPaysForBoth() public {
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        monitors.credit(address(market), orderId, period);
        period += 1;
        submit(report(three(6, 6, 6)));
        pass(4 hours);
        monitors.credit(address(market), orderId, period);
        assertEq(market.getOrder(orderId).down, 900);
    }
}
