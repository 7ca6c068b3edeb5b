// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC20Errors } from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { MIN_DURATION, MONTH } from "../../../src/types/Constants.sol";
import { PurseBase } from "../PurseBase.sol";

// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
contract RenewTest is PurseBase {
    uint64 private _id;

    function setUp() public override {
        super.setUp();
        _id = runFor(user);
    }

    function keep(uint256 maxRate, uint40 until) private {
        vm.prank(user);
        purse.keep(_id, IPurse.Standing(uint96(maxRate), uint96(2 * USD), until, 24 * 30));
    }

    function renew() private {
        vm.prank(stranger);
        purse.renew(_id);
    }

    function test_WhenItIsNotToBeKept_ItRevertsWithNothingToRenew() public {
        pass(MONTH - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NothingToRenew.selector, _id));
        renew();
    }

    function test_WhenItIsNotToBeKeptAnyMore_ItRevertsWithNothingToRenew() public {
        keep(RATE, GENESIS + 90 days);
        vm.prank(user);
        purse.keep(_id, IPurse.Standing(0, 0, 0, 0));
        pass(MONTH - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NothingToRenew.selector, _id));
        renew();
    }

    function test_WhenItIsAnothersOrder_ItRevertsWithNothingToRenew() public {
        uint64 other = buy(addNode(provider), MONTH);
        activate(other);
        _id = other;
        keep(RATE, GENESIS + 90 days);
        pass(MONTH - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NothingToRenew.selector, other));
        renew();
    }

    function test_WhenTheOrderHasEnded_ItRevertsWithNothingToRenew() public {
        keep(RATE, GENESIS + 90 days);
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NothingToRenew.selector, _id));
        renew();
    }

    function test_WhenItLastsLongEnough_ItRevertsWithNothingToRenew() public {
        keep(RATE, GENESIS + 30 days);
        pass(MONTH - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.NothingToRenew.selector, _id));
        renew();
    }

    function test_WhenItCostsMoreThanTheOwnerPays_ItRevertsWithPriceAboveLimit() public {
        keep(RATE - 1, GENESIS + 90 days);
        pass(MONTH - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.PriceAboveLimit.selector, RATE - 1, false));
        renew();
    }

    function test_WhenItsEndIsNotNear_ItRevertsWithTooEarlyToRenew() public {
        keep(RATE, GENESIS + 90 days);
        pass(29 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IPurse.TooEarlyToRenew.selector, _id, GENESIS + 29 days));
        renew();
    }

    function test_WhenThePurseHoldsTooLittle_ItRevertsAsCreditDoes() public {
        keep(RATE, GENESIS + 90 days);
        vm.prank(user);
        purse.withdraw(address(credit), 10_000 * USD - 2 * RATE + 1);
        pass(29 days);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        renew();
    }

    function test_WhenTheTimeBegins_ItExtendsForNoTip() public {
        keep(RATE, GENESIS + 90 days);
        pass(29 days);
        vm.expectEmit(address(purse));
        emit IPurse.Renewed(_id, stranger, RATE, 0);
        renew();
        assertEq(market.getOrder(_id).duration, 2 * MONTH);
        assertEq(credit.balanceOf(stranger), 1_000_000 * USD);
        vm.expectPartialRevert(IPurse.TooEarlyToRenew.selector);
        renew();
    }

    function test_WhenHalfTheTimeIsOver_ItPaysHalfTheTip() public {
        keep(RATE, GENESIS + 90 days);
        pass(29.5 days);
        renew();
        assertEq(credit.balanceOf(stranger), 1_000_001 * USD);
        assertEq(balance(), 10_000 * USD - 2 * RATE - USD);
        assertEq(leftOf(key), 1000 * USD);
    }

    function test_WhenItNeedsOnlyPartOfAStep_ItExtendsUntilThen() public {
        keep(RATE, GENESIS + 75 days);
        pass(29 days);
        renew();
        pass(30 days);
        bytes4 extendBy = bytes4(keccak256("extend(uint64,uint32)"));
        if (MIN_DURATION > 15 days) vm.mockCall(address(market), abi.encodeWithSelector(extendBy), "");
        vm.expectCall(address(market), abi.encodeWithSelector(extendBy, _id, uint32(15 days)));
        renew();
    }
}
