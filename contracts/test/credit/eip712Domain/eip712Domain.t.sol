// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../../Base.t.sol";

contract CreditEip712DomainTest is Base {
    function test_WhenAsked_ItSaysNameVersionChainAndContractAsERC5267() public {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        ) = credit.eip712Domain();
        assertEq(fields, hex"0f");
        assertEq(name, "Rackfair Credit");
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(verifyingContract, address(credit));
        assertEq(salt, bytes32(0));
        assertEq(extensions.length, 0);
    }
}
