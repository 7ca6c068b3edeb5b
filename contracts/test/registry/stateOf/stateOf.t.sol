// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistryStateOfTest is Base {
    function test_WhenThereIsNoSuchNode_ItTellsZeros() public view {
        (uint64 orderId, uint32 rev, bool exist, bool avail, bool online) = registry.stateOf(provider, 1);
        assertEq(abi.encode(orderId, rev, exist, avail, online), abi.encode(0, 0, false, false, false));
    }

    function test_WhenThereIs_ItTellsItsStateWithoutTheOffer() public {
        uint64 id = openShop();
        uint64 order = buy(id, MONTH);
        vm.startPrank(provider);
        registry.set_avail(provider, id, true);
        registry.setOnline(provider, id, false);
        (uint64 orderId, uint32 rev, bool exist, bool avail, bool online) = registry.stateOf(provider, id);
        assertEq(abi.encode(orderId, rev, exist, avail, online), abi.encode(order, 1, true, true, false));
    }
}
