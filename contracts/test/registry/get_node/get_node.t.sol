// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistryGetNodeTest is Base {
    function test_WhenThereIsNoSuchNode_ItTellsThatItDoesNotExist() public {
        openShop();
        IRegistry.NodeView memory n = registry.get_node(provider, 7);
        assertFalse(n.exist);
        assertEq(n.pCPU, 0);
    }

    function test_WhenItIsFree_ItTellsItsOffer() public {
        IRegistry.NodeView memory n = registry.get_node(provider, openShop());
        assertEq(abi.encode(n.id, n.cp, n.rev, n.orderId), abi.encode(1, provider, 1, 0));
        assertEq(abi.encode(n.cpuModel, n.gpuModel), abi.encode("Xeon Silver 4316", "RTX 4090"));
        assertEq(abi.encode(n.nCPU, n.core, n.nGPU, n.nMEM, n.nDISK), abi.encode(2, 20, 2, 128, 2000));
        assertEq(abi.encode(n.pCPU, n.pGPU, n.pMEM, n.pDISK), abi.encode(43 * USD, 133 * USD, 0.5e18, 0.002e18));
        assertEq(abi.encode(n.exist, n.sold, n.avail, n.online), abi.encode(true, false, false, true));
    }

    function test_WhenItIsSoldAndDeployed_ItNamesTheOrder() public {
        uint64 id = openShop();
        uint64 order = buy(id, MONTH);
        vm.prank(provider);
        registry.set_avail(provider, id, true);
        IRegistry.NodeView memory n = registry.get_node(provider, id);
        assertEq(n.orderId, order);
        assertEq(abi.encode(n.exist, n.sold, n.avail, n.online), abi.encode(true, true, true, true));
    }

    function test_WhenItWasDeleted_ItTellsThatItDoesNotExist() public {
        uint64 id = openShop();
        vm.prank(provider);
        registry.del_node(id);
        IRegistry.NodeView memory n = registry.get_node(provider, id);
        assertEq(abi.encode(n.exist, n.rev, n.pCPU, n.cpuModel), abi.encode(false, 0, 0, ""));
    }
}
