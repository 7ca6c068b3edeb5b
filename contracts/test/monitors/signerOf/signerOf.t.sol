// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { MonitorsBase } from "../MonitorsBase.sol";

contract MonitorsSignerOfTest is MonitorsBase {
    function test_WhenAKeySigned_ItNamesIt() public view {
        assertEq(monitors.signerOf("what", this.signedBy(accounts[0])), monitors.keyOf(accounts[0]));
    }

    function test_WhenThereIsNoSigner_ItIsNobody() public view {
        assertEq(monitors.signerOf("what", new bytes(65)), address(0));
    }

    function signedBy(address account) external view returns (bytes memory) {
        return signAs(keys[account], "what");
    }
}
