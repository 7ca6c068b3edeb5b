// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistryPricesOfTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenThereNeverWasSuchARevision_ItTellsZeros() public view {
        requirePrices(0, 0, 0, 0, 0);
        requirePrices(2, 0, 0, 0, 0);
    }

    function test_WhenTheNodeWasChanged_ItTellsThePricesOfEachRevision() public {
        raisePrices();
        requirePrices(1, 43 * USD, 133 * USD, 0.5e18, 0.002e18);
        requirePrices(2, 44 * USD, 134 * USD, 0.6e18, 0.003e18);
    }

    function test_WhenTheNodeIsGone_ItStillTellsThemAndOrdersKeepTheirs() public {
        uint64 order = buy(id, MONTH);
        vm.prank(user);
        market.userCancel(order);
        raisePrices();
        vm.prank(provider);
        registry.del_node(id);
        requirePrices(1, 43 * USD, 133 * USD, 0.5e18, 0.002e18);
        requirePrices(2, 44 * USD, 134 * USD, 0.6e18, 0.003e18);
        IMarket.Order memory o = market.getOrder(order);
        assertEq(abi.encode(o.pCPU, o.pGPU, o.pMEM, o.pDISK), abi.encode(43 * USD, 133 * USD, 0.5e18, 0.002e18));
        assertEq(o.totalValue, 420 * USD);
    }

    function raisePrices() internal {
        IRegistry.NodeInput memory input = nodeInput();
        (input.pCPU, input.pGPU, input.pMEM, input.pDISK) = (44 * USD, 134 * USD, 0.6e18, 0.003e18);
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function requirePrices(uint32 rev, uint256 cpu, uint256 gpu, uint256 mem, uint256 disk) internal view {
        (uint256 pCPU, uint256 pGPU, uint256 pMEM, uint256 pDISK) = registry.pricesOf(provider, id, rev);
        assertEq(abi.encode(pCPU, pGPU, pMEM, pDISK), abi.encode(cpu, gpu, mem, disk));
    }
}
