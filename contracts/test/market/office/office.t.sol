// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IMarketLens } from "../../../src/interfaces/IMarketLens.sol";
import { IMarketOffice } from "../../../src/interfaces/IMarketOffice.sol";
import { Base } from "../../Base.t.sol";

contract MarketOfficeTest is Base {
    function test_WhenAViewIsAskedOfIt_ItPassesItOnToTheLens() public {
        uint64 id = running();
        assertEq(IMarketLens(market.office()).getOrder(id).id, 0, "of its own storage, which is empty");
        assertEq(market.getOrder(id).id, id);
    }

    function test_WhenItIsCalledItself_ItChangesNoMarket() public {
        address office = market.office();
        vm.prank(owner);
        IMarketOffice(office).setCommissionBps(1000);
        assertEq(market.params().commissionBps, 0);
        vm.expectRevert(abi.encodeWithSelector(IMarket.NothingToWithdraw.selector, treasury));
        vm.prank(treasury);
        IMarketOffice(office).takeCommission();
    }
}
