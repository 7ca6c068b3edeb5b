// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { OrderStatus } from "../../../src/types/OrderStatus.sol";
import { Base } from "../../Base.t.sol";

contract MarketSetAppTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = running();
    }

    function test_WhenThereIsNoSuchOrder_ItRevertsWithOrderNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderNotFound.selector, uint64(7)));
        market.setApp(7, "nginx");
    }

    function test_WhenTheCallerIsNeitherUserProviderNorOperator_ItRevertsWithNotOperator() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.NotOperator.selector, stranger, provider));
        vm.prank(stranger);
        market.setApp(id, "nginx");
    }

    function test_WhenTheOrderIsClosed_ItRevertsWithWrongStatus() public {
        vm.startPrank(user);
        market.userCancel(id);
        vm.expectRevert(abi.encodeWithSelector(IMarket.WrongStatus.selector, id, OrderStatus.ProbationRefunded));
        market.setApp(id, "nginx");
    }

    function test_WhenTheOrderHasEnded_ItRevertsWithOrderEnded() public {
        pass(MONTH);
        vm.expectRevert(abi.encodeWithSelector(IMarket.OrderEnded.selector, id, GENESIS + MONTH));
        vm.prank(user);
        market.setApp(id, "nginx");
    }

    function test_WhenTheNameIsLongerThan31Bytes_ItRevertsWithAppTooLong() public {
        vm.expectRevert(abi.encodeWithSelector(IMarket.AppTooLong.selector, 32, 31));
        vm.prank(user);
        market.setApp(id, "an application with a name of 32");
    }

    function test_WhenTheCallerIsTheUser_ItNamesTheApp() public {
        vm.expectEmit(address(market));
        emit IMarket.AppSet(id, "facefusion");
        vm.prank(user);
        market.setApp(id, "facefusion");
    }

    function test_WhenTheCallerIsTheOperator_ItNamesTheApp() public {
        vm.prank(provider);
        registry.setOperator(operator);
        vm.expectEmit(address(market));
        emit IMarket.AppSet(id, "ubuntu");
        vm.prank(operator);
        market.setApp(id, "ubuntu");
    }

    function test_WhenTheOrderIsCreated_ItNamesTheApp() public {
        vm.prank(provider);
        uint64 other = registry.add_node(nodeInput());
        uint64 created = buy(other, MONTH);
        vm.expectEmit(address(market));
        emit IMarket.AppSet(created, "apache");
        vm.prank(user);
        market.setApp(created, "apache");
    }

    function testFuzz_WhenTheNameHoldsAnyBytes_ItComesBackAsItWentIn(bytes32 raw, uint256 length) public {
        bytes memory name = shortText(raw, length);
        vm.expectEmit(address(market));
        emit IMarket.AppSet(id, string(name));
        vm.prank(user);
        market.setApp(id, string(name));
    }
}
