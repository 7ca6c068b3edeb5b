// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IGate } from "../../../src/interfaces/IGate.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { PurseBase } from "../PurseBase.sol";

contract DepositUsdtTest is PurseBase {
    function send(address to, uint256 units) private {
        vm.prank(owner);
        usdt.mint(to, units);
    }

    function test_WhenNoUSDTWasSentToThePurse_ItRevertsWithAmountTooSmall() public {
        vm.expectRevert(IGate.AmountTooSmall.selector);
        purse.depositUsdt();
    }

    function test_WhenUSDTWasSentBeforeThePurseExisted_ItIsCreditOfThePurse() public {
        (address later,) = factory.purseOf(stranger);
        send(later, 3e6);
        factory.create(stranger);
        assertEq(IPurse(later).depositUsdt(), 3 * USD);
        assertEq(credit.balanceOf(later), 3 * USD);
    }

    function test_WhenAnybodyCallsIt_ItChangesAllOfItIntoCreditThatTheOwnerAloneCanWithdraw() public {
        uint256 reserves = gate.reserves();
        send(address(purse), 5e6 + 1);
        vm.prank(stranger);
        assertEq(purse.depositUsdt(), 5 * USD + 1e12);
        assertEq(balance(), 10_005 * USD + 1e12);
        assertEq(usdt.balanceOf(address(purse)), 0);
        assertEq(usdt.allowance(address(purse), address(gate)), 0);
        assertEq(gate.reserves(), reserves + 5 * USD + 1e12);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NotPurseOwner.selector, stranger));
        vm.prank(stranger);
        purse.withdraw(address(credit), 5 * USD);
    }

    function test_WhenAKeyCallsIt_ItRaisesNoBudgetOfTheKey() public {
        send(address(purse), 5e6);
        vm.prank(key);
        purse.depositUsdt();
        assertEq(leftOf(key), 1000 * USD);
    }
}
