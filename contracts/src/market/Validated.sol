// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { EIP712 } from "solady/utils/EIP712.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { IAccess } from "../interfaces/IAccess.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { MarketState } from "./MarketState.sol";

/// @title Validated
/// @notice What counts only with the validator's signature, which is made for this one Market on this one chain.
abstract contract Validated is MarketState, EIP712 {
    function _requireValidator(bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = _hashTypedData(structHash);
        if (!SignatureCheckerLib.isValidSignatureNow(IAccess(access).validator(), digest, signature)) revert IMarket.BadSignature();
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Rackfair Market", "1");
    }
}
