// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MonitorsBase } from "../../monitors/MonitorsBase.sol";

contract FindingsIsValidSignatureTest is MonitorsBase {
    function found() private {
        submit(report(three(1, 1, 1)));
        pass(4 hours);
        findings.finish(address(market), orderId, period);
    }

    function test_WhenTheDowntimeIsFinal_TheMarketTakesItFromAnybody() public {
        found();
        uint40 asOf = uint40(endOf(period));
        vm.prank(stranger);
        market.creditDowntime(orderId, 300, asOf, abi.encode(orderId, 300, asOf));
        assertEq(market.getOrder(orderId).down, 300);
    }

    function test_WhenAnotherTotalIsClaimed_TheMarketRefusesIt() public {
        found();
        uint40 asOf = uint40(endOf(period));
        vm.expectRevert(abi.encodeWithSelector(IMarket.BadSignature.selector));
        market.creditDowntime(orderId, 600, asOf, abi.encode(orderId, 300, asOf));
        vm.expectRevert(abi.encodeWithSelector(IMarket.BadSignature.selector));
        market.creditDowntime(orderId, 600, asOf, abi.encode(orderId, 600, asOf));
    }

    function test_WhenNothingIsFinal_TheMarketRefusesIt() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.BadSignature.selector));
        market.creditDowntime(orderId, 0, 0, abi.encode(orderId, 0, 0));
    }

    function test_WhenTheSignatureIsNoSuchThing_TheMarketRefusesIt() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.BadSignature.selector));
        market.creditDowntime(orderId, 1, 1, hex"00");
    }

    function test_WhenTheRewarderSignedAVoucher_TheMarketPaysIt() public {
        vm.startPrank(stranger);
        credit.approve(address(market), 10 * USD);
        market.fundRewards(10 * USD);
        (uint256 deadline, bytes memory signed) = abi.decode(signVoucher(user, 5 * USD, 0, block.timestamp), (uint256, bytes));
        bytes memory wrapped = abi.encode(deadline, abi.encode(user, 5 * USD, uint256(0), deadline, signed));
        uint256 before = credit.balanceOf(user);
        vm.startPrank(user);
        market.withdraw(5 * USD, wrapped);
        assertEq(credit.balanceOf(user) - before, 5 * USD);
    }

    function test_WhenAnotherSignedAVoucher_TheMarketRefusesIt() public {
        (uint256 deadline,) = abi.decode(signVoucher(user, 5 * USD, 0, block.timestamp), (uint256, bytes));
        bytes memory wrapped = abi.encode(deadline, abi.encode(user, 5 * USD, uint256(0), deadline, hex"1234"));
        vm.expectRevert(abi.encodeWithSelector(IMarket.BadSignature.selector));
        vm.prank(user);
        market.withdraw(5 * USD, wrapped);
    }
}
