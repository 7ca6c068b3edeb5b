// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Base } from "../../Base.t.sol";

contract RegistryUpdatenodeTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        vm.prank(provider);
        registry.updatenode(9, nodeInput());
    }

    function test_WhenTheNodeIsOfAnotherProvider_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, stranger, id));
        vm.prank(stranger);
        registry.updatenode(id, nodeInput());
    }

    function test_WhenTheNodeIsSold_ItRevertsWithNodeSold() public {
        buy(id, MONTH);
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeSold.selector, provider, id, uint64(1)));
        vm.prank(provider);
        registry.updatenode(id, nodeInput());
    }

    function test_WhenTheCpuModelIsLongerThan31Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.cpuModel = string(new bytes(32));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "cpuModel", 32, 0, 31));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenTheGpuModelIsLongerThan31Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.gpuModel = string(new bytes(32));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "gpuModel", 32, 0, 31));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenThereAreMoreThan4096Processors_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nCPU = 4097;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nCPU", 4097, 0, 4096));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenProcessorsOfferNoCore_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.core = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "core", 0, 1, 4096));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenThereAreMoreThan4096GPUs_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nGPU = 4097;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nGPU", 4097, 0, 4096));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenMemoryIsAbove2ToThe20GB_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nMEM = 1_048_577;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nMEM", 1_048_577, 0, 1_048_576));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenStorageIsAbove2ToThe20GB_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nDISK = 1_048_577;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nDISK", 1_048_577, 0, 1_048_576));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenThereIsNeitherProcessorNorGPU_ItRevertsWithNoProcessor() public {
        IRegistry.NodeInput memory input = nodeInput();
        (input.nCPU, input.nGPU) = (0, 0);
        vm.expectRevert(IRegistry.NoProcessor.selector);
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenAPriceIsFinerThan1e9Wei_ItRevertsWithPriceGranularity() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.pMEM = 1e9 + 1;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PriceGranularity.selector, 1e9 + 1));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenAPriceDoesNotFit_ItRevertsWithPriceTooHigh() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.pDISK = 1 << 88;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PriceTooHigh.selector, 1 << 88, (1 << 88) - 1));
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenTheSumDoesNotFit_ItRevertsWithRateTooHigh() public {
        IRegistry.NodeInput memory input = nodeInput();
        uint256 half = 1 << 87;
        input.pCPU = half / 1e9 * 1e9;
        vm.expectPartialRevert(IRegistry.RateTooHigh.selector);
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenItWouldCostNothing_ItRevertsWithZeroRate() public {
        IRegistry.NodeInput memory input = nodeInput();
        (input.pCPU, input.pGPU, input.pMEM, input.pDISK) = (0, 0, 0, 0);
        vm.expectRevert(IRegistry.ZeroRate.selector);
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function test_WhenAllIsWell_ItReplacesTheOfferAndRaisesTheRevision() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nMEM = 64;
        input.nDISK = 4000;
        input.pGPU = 118 * USD;
        input.gpuModel = "RTX 3090";
        vm.expectEmit(address(registry));
        emit IRegistry.NodeUpdated(provider, id, 2, input);
        vm.prank(provider);
        registry.updatenode(id, input);
        IRegistry.NodeView memory n = registry.get_node(provider, id);
        assertEq(n.rev, 2);
        assertEq(n.pGPU, 118 * USD);
        assertEq(n.gpuModel, "RTX 3090");
        assertEq(registry.gInfo().nodeGlobal, 1);
        assertEq(registry.gInfo().memGlobal, 64);
        assertEq(registry.gInfo().diskGlobal, 4000);
    }
}
