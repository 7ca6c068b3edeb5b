// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { Terms } from "../../../src/types/Terms.sol";
import { Base } from "../../Base.t.sol";

contract RegistryTermsOfTest is Base {
    uint64 internal id;

    function setUp() public override {
        super.setUp();
        id = openShop();
    }

    function test_WhenTheNodeDoesNotExist_ItRevertsWithNodeNotFound() public {
        vm.expectRevert(abi.encodeWithSelector(IRegistry.NodeNotFound.selector, provider, uint64(9)));
        registry.termsOf(provider, 9);
    }

    function test_WhenItDoes_ItTellsTermsRateAndRevision() public {
        (Terms memory terms, uint256 rate, uint32 rev) = registry.termsOf(provider, id);
        assertEq(terms.nCPU, 2);
        assertEq(rate, 420 * USD);
        assertEq(rev, 1);
    }
}
