// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketLens } from "../../../src/interfaces/IMarketLens.sol";
import { Base } from "../../Base.t.sol";

contract MarketLensTest is Base {
    /// @dev All opcodes that could change state: SSTORE, LOG0 to LOG4, CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, SELFDESTRUCT.
    bytes private constant CHANGING = hex"55a0a1a2a3a4f0f1f2f4f5ff";
    uint256 private constant PUSH1 = 0x60;
    uint256 private constant PUSH32 = 0x7f;

    function test_WhenItsCodeIsRead_ItHasNoInstructionThatChangesAnything() public view {
        bytes memory code = market.lens().code;
        assertGt(code.length, 1000);
        assertEq(changingAt(code), code.length, "an instruction that changes something");
        assertLt(changingAt(address(market).code), address(market).code.length, "the search finds those of the Market");
    }

    function test_WhenAFunctionIsNeitherOfTheMarketNorOfTheLens_ItReverts() public {
        (bool done, bytes memory answer) = address(market).call(abi.encodeWithSignature("nothing()"));
        assertFalse(done);
        assertEq(answer.length, 0);
    }

    function test_WhenTheLensIsAskedItself_ItKnowsNoOrder() public {
        uint64 id = running();
        assertEq(market.getOrder(id).id, id);
        assertEq(IMarketLens(market.lens()).getOrder(id).id, 0);
    }

    function test_WhenAViewIsAskedByATransaction_ItAnswersAndChangesNothing() public {
        uint64 id = running();
        vm.record();
        (bool done, bytes memory answer) = address(market).call(abi.encodeCall(IMarketLens.getOrder, (id)));
        (bytes32[] memory read, bytes32[] memory written) = vm.accesses(address(market));
        assertTrue(done);
        assertEq(answer, abi.encode(market.getOrder(id)));
        assertGt(read.length, 0);
        assertEq(written.length, 0);
    }

    function changingAt(bytes memory code) private pure returns (uint256 i) {
        for (i = 0; i < code.length; ++i) {
            uint8 op = uint8(code[i]);
            for (uint256 k = 0; k < CHANGING.length; ++k) {
                if (op == uint8(CHANGING[k])) return i;
            }
            if (op >= PUSH1 && op <= PUSH32) i += op - PUSH1 + 1;
        }
        return code.length;
    }
}
