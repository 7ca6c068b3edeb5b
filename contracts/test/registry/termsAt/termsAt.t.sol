// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { MONTH } from "../../../src/types/Constants.sol";
import { Terms } from "../../../src/types/Terms.sol";
import { Base } from "../../Base.t.sol";

contract RegistryTermsAtTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenThereNeverWasSuchARevision_ItTellsZeros() public view {
        Terms memory none;
        requireTerms(0, none);
        requireTerms(2, none);
    }

    function test_WhenTheNodeWasChanged_ItTellsTheTermsOfEachRevision() public {
        changeNode();
        requireTerms(1, Terms(43 * USD, 133 * USD, 0.5e18, 0.002e18, 2, 2, 128, 2000));
        requireTerms(2, Terms(44 * USD, 134 * USD, 0.6e18, 0.003e18, 1, 3, 64, 1000));
    }

    function test_WhenTheNodeIsGone_ItStillTellsThemAndOrdersKeepTheirs() public {
        uint64 order = buy(id, MONTH);
        vm.prank(user);
        market.userCancel(order);
        changeNode();
        vm.prank(provider);
        registry.del_node(id);
        requireTerms(1, Terms(43 * USD, 133 * USD, 0.5e18, 0.002e18, 2, 2, 128, 2000));
        requireTerms(2, Terms(44 * USD, 134 * USD, 0.6e18, 0.003e18, 1, 3, 64, 1000));
        IMarket.Order memory o = market.getOrder(order);
        Terms memory kept = Terms(o.pCPU, o.pGPU, o.pMEM, o.pDISK, o.nCPU, o.nGPU, o.nMEM, o.nDISK);
        assertEq(abi.encode(kept), abi.encode(Terms(43 * USD, 133 * USD, 0.5e18, 0.002e18, 2, 2, 128, 2000)));
        assertEq(o.totalValue, 420 * USD);
    }

    function changeNode() internal {
        IRegistry.NodeInput memory input = nodeInput();
        (input.pCPU, input.pGPU, input.pMEM, input.pDISK) = (44 * USD, 134 * USD, 0.6e18, 0.003e18);
        (input.nCPU, input.nGPU, input.nMEM, input.nDISK) = (1, 3, 64, 1000);
        vm.prank(provider);
        registry.updatenode(id, input);
    }

    function requireTerms(uint32 rev, Terms memory expected) internal view {
        assertEq(abi.encode(registry.termsAt(provider, id, rev)), abi.encode(expected));
    }
}
