// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Market } from "../../../src/Market.sol";
import { Base } from "../../Base.t.sol";
import { SignatureWallet } from "../../fixtures/SignatureWallet.sol";

contract MarketCreditDowntimeTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.creditDowntime(7, 1, 1, "");
    }

    function test_WhenTheOrderIsNotActive_ItRevertsWithWrongStatus() public {
        vm.prank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.creditDowntime(id, 1, 1, "");
    }

    function test_WhenTheStatementIsAboutTheFuture_ItRevertsWithStatementInFuture() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.StatementInFuture.selector, GENESIS + 1));
        market.creditDowntime(id, 1, GENESIS + 1, "");
    }

    function test_WhenItIsNotSignedByTheValidator_ItRevertsWithBadSignature() public {
        bytes memory sig = signFor(market, userKey, bytes32(0));
        vm.expectRevert(IMarket.BadSignature.selector);
        market.creditDowntime(id, 1, GENESIS, sig);
    }

    function test_WhenTheStatementIsForAnotherMarket_ItRevertsWithBadSignature() public {
        bytes32 typeHash = keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)");
        Market other = newMarket(1000);
        bytes memory sig = signFor(other, validatorKey, keccak256(abi.encode(typeHash, id, uint32(1), GENESIS)));
        vm.expectRevert(IMarket.BadSignature.selector);
        market.creditDowntime(id, 1, GENESIS, sig);
    }

    function test_WhenItIsGood_ItSettlesWhatIsFinalAndTakesTheDowntimeOffTheRest() public {
        pass(10 days);
        vm.expectEmit(address(market));
        emit IMarket.OrderSettled(id, GENESIS + 9 days, 126 * USD, 0);
        vm.expectEmit(address(market));
        emit IMarket.DowntimeCredited(id, 7200, GENESIS + 10 days);
        vm.prank(stranger);
        market.creditDowntime(id, 7200, GENESIS + 10 days, signDowntime(id, 7200, GENESIS + 10 days));
        IMarket.Order memory o = market.getOrder(id);
        assertEq(o.down, 7200);
        assertEq(o.remuneration, 126 * USD);
    }

    function test_WhenItSaysLessThanBefore_ItChangesNothing() public {
        pass(10 days);
        market.creditDowntime(id, 7200, GENESIS + 10 days, signDowntime(id, 7200, GENESIS + 10 days));
        vm.recordLogs();
        market.creditDowntime(id, 3600, GENESIS + 10 days, signDowntime(id, 3600, GENESIS + 10 days));
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_WhenItIsReplayed_ItChangesNothing() public {
        pass(10 days);
        bytes memory sig = signDowntime(id, 7200, GENESIS + 10 days);
        market.creditDowntime(id, 7200, GENESIS + 10 days, sig);
        pass(1 hours);
        market.creditDowntime(id, 7200, GENESIS + 10 days, sig);
        assertEq(market.getOrder(id).down, 7200);
    }

    function test_WhenItClaimsMoreThanTheWindow_ItReachesTheWindowAndNoFurther() public {
        pass(10 days + 1);
        market.creditDowntime(id, 9 days, GENESIS + 10 days + 1, signDowntime(id, 9 days, GENESIS + 10 days + 1));
        assertEq(market.getOrder(id).down, 1 days, "a second that is paid in part is paid");
    }

    function test_WhenItSpeaksOfATimeBeforeActivation_ItChangesNothing() public {
        pass(2 hours);
        market.creditDowntime(id, 3600, GENESIS - 1, signDowntime(id, 3600, GENESIS - 1));
        assertEq(market.getOrder(id).down, 0);
    }

    function test_WhenItLiesAheadOfWhatIsSettled_ItLeavesLaterSettlementsAtNothingInsteadOfFailing() public {
        pass(30 hours);
        market.creditDowntime(id, 1 days, GENESIS + 30 hours, signDowntime(id, 1 days, GENESIS + 30 hours));
        uint256 paid = market.getOrder(id).remuneration;
        market.proSettle(id);
        pass(12 hours);
        market.proSettle(id);
        assertEq(market.getOrder(id).remuneration, paid);
        pass(20 hours);
        market.proSettle(id);
        assertGt(market.getOrder(id).remuneration, paid);
    }

    function test_WhenAllHasBecomeFinalMeanwhile_ItCompletesTheOrderAndCreditsNothing() public {
        pass(MONTH + 1 days);
        market.creditDowntime(id, 1 days, GENESIS + MONTH, signDowntime(id, 1 days, GENESIS + MONTH));
        IMarket.Order memory o = market.getOrder(id);
        assertEq(uint8(o.status), uint8(OrderStatus.Completed));
        assertEq(o.down, 0);
        assertEq(o.remuneration, 420 * USD);
        assertFalse(registry.get_node(provider, 1).sold);
    }

    function test_WhenInProbation_ItPaysNothingAndApplies() public {
        pass(9 minutes);
        vm.prank(owner);
        market.setHoldback(0);
        market.creditDowntime(id, 300, GENESIS + 9 minutes, signDowntime(id, 300, GENESIS + 9 minutes));
        assertEq(market.getOrder(id).remuneration, 0);
        assertEq(market.getOrder(id).down, 300);
    }

    function test_WhenTheValidatorIsAContract_ItAsksTheContract() public {
        SignatureWallet wallet = new SignatureWallet(validator);
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, address(wallet));
        pass(10 days);
        market.creditDowntime(id, 7200, GENESIS + 10 days, signDowntime(id, 7200, GENESIS + 10 days));
        assertEq(market.getOrder(id).down, 7200);
    }
}
