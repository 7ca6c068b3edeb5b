// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract MarketExtendWithPermitTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThePermitIsGood_ItExtendsWithoutAnApproval() public {
        IMarket.Permit memory permit = signPermit(420 * USD);
        vm.prank(user);
        market.extendWithPermit(id, MONTH, permit);
        assertEq(market.getOrder(id).duration, 2 * MONTH);
    }
}
