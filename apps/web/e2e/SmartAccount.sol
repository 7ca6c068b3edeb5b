// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// @notice The least of a smart account: one key owns it, it signs through that key (ERC-1271) and carries out several calls as one.
contract SmartAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    receive() external payable {}

    function execute(Call[] calldata calls) external {
        require(msg.sender == _owner);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!done) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer == _owner ? this.isValidSignature.selector : bytes4(0);
    }
}
