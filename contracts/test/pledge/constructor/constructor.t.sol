// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract PledgeConstructorTest is Base {
    function test_WhenDeployed_ItNamesItsParts() public {
        assertEq(pledge.access(), address(access));
        assertEq(pledge.registry(), address(registry));
        assertEq(pledge.credit(), address(credit));
        assertEq(pledge.owner(), owner);
        assertEq(registry.access(), address(access));
        assertEq(registry.pledge(), address(pledge));
    }
}
