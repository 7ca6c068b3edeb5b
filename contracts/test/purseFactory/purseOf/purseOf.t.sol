// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { PurseBase } from "../../purse/PurseBase.sol";

contract PurseOfTest is PurseBase {
    function testFuzz_WhenItIsAsked_ItNamesAnAddressOfItsOwnPerOwner(address one, address other) public {
        vm.assume(one != other && one != address(0) && one != user);
        (address first, bool exists) = factory.purseOf(one);
        (address second,) = factory.purseOf(other);
        assertFalse(exists);
        assertTrue(first != second);
        assertEq(factory.create(one), first);
        (, exists) = factory.purseOf(one);
        assertTrue(exists);
    }
}
