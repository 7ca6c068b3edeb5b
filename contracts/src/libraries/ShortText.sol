// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ShortString, ShortStrings } from "@openzeppelin/contracts/utils/ShortStrings.sol";

/// @title ShortText
/// @notice Texts of at most 31 bytes in one slot, with the length in the last byte, so that any text round-trips; the empty text is zero.
library ShortText {
    uint256 internal constant MAX = 31;

    /// @dev The caller has checked that `text` has at most MAX bytes.
    function pack(string calldata text) internal pure returns (bytes32) {
        // casting to 'bytes32' is safe because the caller has checked the length
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes32(bytes(text)) | bytes32(bytes(text).length);
    }

    function unpack(bytes32 packed) internal pure returns (string memory) {
        return ShortStrings.toString(ShortString.wrap(packed));
    }
}
