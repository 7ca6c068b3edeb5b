// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPledge } from "../../../src/interfaces/IPledge.sol";
import { Base } from "../../Base.t.sol";

contract PledgeGetListTest is Base {
    function setUp() public override {
        super.setUp();
        vm.prank(owner);
        pledge.setRate(0.1e18);
        pledgeFor(provider, 1000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(pledge), 150 * USD);
        pledge.fundInterest(150 * USD);
        vm.stopPrank();
    }

    function test_WhenMoreThan200AreAskedFor_ItRevertsWithPageTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IPledge.PageTooLong.selector, 201, 200));
        pledge.getList(0, 201);
    }

    function test_WhenTheStartIsPastTheEnd_ItIsEmpty() public {
        assertEq(pledge.getList(1, 10).length, 0);
    }

    function test_WhenThereAreAccounts_ItListsThemInTheOrderOfTheirFirstPledge() public {
        pledgeFor(user, 5 * USD);
        pledgeFor(provider, USD);
        IPledge.PledgeInfo[] memory list = pledge.getList(0, 200);
        assertEq(list.length, 2);
        assertEq(list[0].account, provider);
        assertEq(list[0].pledge, 1001 * USD);
        assertEq(list[0].lastTime, vm.getBlockTimestamp());
        assertTrue(list[0].exist);
        assertEq(pledge.totalPledged(), 1006 * USD);
        assertEq(list[1].account, user);
        assertEq(pledge.getList(1, 1)[0].pledge, 5 * USD);
    }
}
