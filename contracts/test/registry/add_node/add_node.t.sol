// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Base } from "../../Base.t.sol";

contract RegistryAddNodeTest is Base {
    function setUp() public override {
        super.setUp();
        registerProvider(provider);
    }

    function test_WhenEntriesArePaused_ItRevertsWithEntriesPaused() public {
        vm.prank(guardian);
        access.pause();
        vm.expectRevert(IRegistry.EntriesPaused.selector);
        vm.prank(provider);
        registry.add_node(nodeInput());
    }

    function test_WhenTheCallerIsNotRegistered_ItRevertsWithNotRegistered() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NotRegistered.selector, stranger));
        vm.prank(stranger);
        registry.add_node(nodeInput());
    }

    function test_WhenTheCpuModelIsLongerThan31Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.cpuModel = string(new bytes(32));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "cpuModel", 32, 0, 31));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenTheGpuModelIsLongerThan31Bytes_ItRevertsWithLengthOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.gpuModel = string(new bytes(32));
        vm.expectRevert(abi.encodeWithSelector(IRegistry.LengthOutOfBounds.selector, "gpuModel", 32, 0, 31));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenThereAreMoreThan4096Processors_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nCPU = 4097;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nCPU", 4097, 0, 4096));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenProcessorsOfferNoCore_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.core = 0;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "core", 0, 1, 4096));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenThereAreMoreThan4096GPUs_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nGPU = 4097;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nGPU", 4097, 0, 4096));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenMemoryIsAbove2ToThe20GB_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nMEM = 1_048_577;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nMEM", 1_048_577, 0, 1_048_576));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenStorageIsAbove2ToThe20GB_ItRevertsWithCountOutOfBounds() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.nDISK = 1_048_577;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.CountOutOfBounds.selector, "nDISK", 1_048_577, 0, 1_048_576));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenThereIsNeitherProcessorNorGPU_ItRevertsWithNoProcessor() public {
        IRegistry.NodeInput memory input = nodeInput();
        (input.nCPU, input.nGPU) = (0, 0);
        vm.expectRevert(IRegistry.NoProcessor.selector);
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenAPriceIsFinerThan1e9Wei_ItRevertsWithPriceGranularity() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.pMEM = 1e9 + 1;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PriceGranularity.selector, 1e9 + 1));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenAPriceDoesNotFit_ItRevertsWithPriceTooHigh() public {
        IRegistry.NodeInput memory input = nodeInput();
        input.pDISK = 1 << 88;
        vm.expectRevert(abi.encodeWithSelector(IRegistry.PriceTooHigh.selector, 1 << 88, (1 << 88) - 1));
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenTheSumDoesNotFit_ItRevertsWithRateTooHigh() public {
        IRegistry.NodeInput memory input = nodeInput();
        uint256 half = 1 << 87;
        input.pCPU = half / 1e9 * 1e9;
        vm.expectPartialRevert(IRegistry.RateTooHigh.selector);
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenItWouldCostNothing_ItRevertsWithZeroRate() public {
        IRegistry.NodeInput memory input = nodeInput();
        (input.pCPU, input.pGPU, input.pMEM, input.pDISK) = (0, 0, 0, 0);
        vm.expectRevert(IRegistry.ZeroRate.selector);
        vm.prank(provider);
        registry.add_node(input);
    }

    function test_WhenThereAre16NodesAndNoPledge_ItRevertsWithTooManyNodesUntilThereIsOne() public {
        for (uint256 i = 0; i < 16; ++i) {
            addNode(provider);
        }
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TooManyNodes.selector, 16));
        vm.prank(provider);
        registry.add_node(nodeInput());
        pledgeFor(provider, USD);
        assertEq(addNode(provider), 17);
    }

    function test_WhenThereAre1000Nodes_ItRevertsWithTooManyNodes() public {
        pledgeFor(provider, USD);
        for (uint256 i = 0; i < 1000; ++i) {
            addNode(provider);
        }
        vm.expectRevert(abi.encodeWithSelector(IRegistry.TooManyNodes.selector, 1000));
        vm.prank(provider);
        registry.add_node(nodeInput());
    }

    function test_WhenAllIsWell_ItOffersTheNodeAndCountsIt() public {
        vm.expectEmit(address(registry));
        emit IRegistry.NodeAdded(provider, 1, nodeInput());
        uint64 id = addNode(provider);
        IRegistry.NodeView memory n = registry.get_node(provider, id);
        assertEq(n.id, id);
        assertEq(n.cp, provider);
        assertEq(n.cpuModel, "Xeon Silver 4316");
        assertEq(n.gpuModel, "RTX 4090");
        assertEq(n.nCPU, 2);
        assertEq(n.core, 20);
        assertEq(n.nGPU, 2);
        assertEq(n.nMEM, 128);
        assertEq(n.nDISK, 2000);
        assertEq(n.pCPU, 43 * USD);
        assertEq(n.pGPU, 133 * USD);
        assertEq(n.pMEM, 0.5e18);
        assertEq(n.pDISK, 0.002e18);
        assertEq(n.rev, 1);
        assertEq(n.orderId, 0);
        assertTrue(n.exist);
        assertTrue(n.online);
        assertFalse(n.sold);
        assertFalse(n.avail);
        IRegistry.Global memory g = registry.gInfo();
        assertEq(g.nodeGlobal, 1);
        assertEq(g.memGlobal, 128);
        assertEq(g.diskGlobal, 2000);
        assertEq(registry.get(provider).nNode, 1);
        assertEq(registry.get(provider).nMem, 128);
        assertEq(registry.get(provider).nDisk, 2000);
        assertEq(registry.get(provider).lastNode, 1);
    }

    function test_WhenItHasNoProcessorButAGPU_ItNeedsNoCore() public {
        IRegistry.NodeInput memory input = nodeInput();
        (input.nCPU, input.core) = (0, 0);
        vm.prank(provider);
        assertEq(registry.add_node(input), 1);
    }

    function testFuzz_WhenTheModelsHoldAnyBytes_TheyComeBackAsTheyWentIn(bytes32 rawCpu, bytes32 rawGpu, uint256 length) public {
        (bytes memory cpu, bytes memory gpu) = (shortText(rawCpu, length), shortText(rawGpu, length >> 128));
        IRegistry.NodeInput memory input = nodeInput();
        (input.cpuModel, input.gpuModel) = (string(cpu), string(gpu));
        vm.prank(provider);
        registry.add_node(input);
        assertEq(bytes(registry.get_node(provider, 1).cpuModel), cpu);
        assertEq(bytes(registry.get_node(provider, 1).gpuModel), gpu);
    }
}
