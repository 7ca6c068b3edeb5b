// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { EIP712 } from "solady/utils/EIP712.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { IAccess } from "../interfaces/IAccess.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { IFindings } from "../interfaces/IFindings.sol";
import { MarketState } from "./MarketState.sol";

/// @title Validated
/// @notice Statements that count only with the validator's signature, which is bound to this Market on this chain.
abstract contract Validated is MarketState, EIP712 {
    uint256 private constant MAX_QUESTION_GAS = 50_000;

    function _requireValidator(bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = _hashTypedData(structHash);
        if (!SignatureCheckerLib.isValidSignatureNow(IAccess(access).validator(), digest, signature)) revert IMarket.BadSignature();
    }

    /// @dev Seconds of an order's reported downtime that lie in announced maintenance; 0 if the validator does not support it. A failing
    /// validator cannot block a report.
    function _maintenance(uint64 id) internal view returns (uint32) {
        bytes memory question = abi.encodeCall(IFindings.maintenanceOf, (address(this), id));
        (bool isAnswered, bytes memory answer) = IAccess(access).validator().staticcall{ gas: MAX_QUESTION_GAS }(question);
        if (!isAnswered || answer.length != 32) return 0;
        return uint32(Math.min(abi.decode(answer, (uint256)), type(uint32).max));
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Rackfair Market", "1");
    }
}
