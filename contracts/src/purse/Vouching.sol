// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ECDSA } from "solady/utils/ECDSA.sol";
import { EIP712 } from "solady/utils/EIP712.sol";
import { LibString } from "solady/utils/LibString.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";
import { RIGHT_DEPLOY, RIGHT_WORKSPACE } from "../types/Rights.sol";
import { Grants } from "./Grants.sol";

/// @title Vouching
/// @notice The texts that a purse stands by (ERC-1271).
/// @dev Signers sign the text nested in the purse's own domain (ERC-7739), so that no signature counts for another purse. The text comes
/// along, because its hash does not say of which kind it is. A purse stands by no typed data: no permit, no order of an exchange.
abstract contract Vouching is Grants, EIP712 {
    bytes32 private constant PERSONAL_SIGN_TYPEHASH = keccak256("PersonalSign(bytes prefixed)");
    bytes4 private constant REFUSED = 0xffffffff;

    string private constant DEPLOY = "order: ";
    string private constant SIGNS_IN = " wants you to sign in with your Ethereum account:\n";
    string private constant SIGN_IN = "\n\nSign in to Rackfair. ";
    string private constant WORKSPACE = "\n- urn:rackfair:order:";

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, bytes memory text, bytes memory signed) = abi.decode(signature, (address, bytes, bytes));
        bool isTheirs = hash == ECDSA.toEthSignedMessageHash(text) && _maySign(signer, string(text)) && _signed(signer, hash, signed);
        return isTheirs ? this.isValidSignature.selector : REFUSED;
    }

    function _maySign(address signer, string memory text) private view returns (bool) {
        if (signer == owner()) return true;
        uint32 id = _validGrant(signer);
        if (id == 0) return false;
        if (LibString.startsWith(text, DEPLOY)) return _has(id, RIGHT_DEPLOY) && _isOrderOf(id, text, bytes(DEPLOY).length);
        if (!_has(id, RIGHT_WORKSPACE) || !LibString.contains(text, SIGNS_IN)) return false;
        uint256 found = LibString.indexOf(text, WORKSPACE);
        if (found == LibString.NOT_FOUND) return LibString.contains(text, SIGN_IN);
        return _isOrderOf(id, text, found + bytes(WORKSPACE).length);
    }

    /// @dev Reads the order's id up to the end of the line.
    function _isOrderOf(uint32 id, string memory text, uint256 from) private view returns (bool) {
        bytes memory raw = bytes(text);
        uint256 orderId = 0;
        for (uint256 i = from; i < raw.length && raw[i] != "\n"; ++i) {
            if (raw[i] < "0" || raw[i] > "9") return false;
            orderId = orderId * 10 + uint8(raw[i]) - 48;
            if (orderId > type(uint64).max) return false;
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        return _payments[uint64(orderId)].grantId == id;
    }

    /// @dev By recovery first: an account that has code since (EIP-7702) still signs with its key.
    function _signed(address signer, bytes32 hash, bytes memory signature) private view returns (bool) {
        bytes32 digest = _hashTypedData(keccak256(abi.encode(PERSONAL_SIGN_TYPEHASH, hash)));
        return ECDSA.tryRecover(digest, signature) == signer || SignatureCheckerLib.isValidSignatureNow(signer, digest, signature);
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("Rackfair Purse", "1");
    }
}
