// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IRegistry } from "../interfaces/IRegistry.sol";
import { ShortText } from "../libraries/ShortText.sol";
import { GWEI, MAX_MIN_TERM, MAX_RATE } from "../types/Constants.sol";

/// @title InputRules
/// @notice What a provider may enter about itself and its nodes.
library InputRules {
    uint256 private constant MAX_COUNT = 4096;
    uint256 private constant MAX_GB = 1 << 20;

    function requireProvider(IRegistry.ProviderInput calldata input) internal pure {
        _requireLength("name", input.name, 1, 64);
        _requireLength("ip", input.ip, 1, 45);
        _requireLength("domain", input.domain, 0, 253);
        _requireCount("port", input.port, 1, type(uint16).max);
    }

    function requireMinTerm(uint256 minTerm) internal pure {
        _requireCount("minTerm", minTerm, 0, MAX_MIN_TERM);
    }

    /// @return rate the price of the node per MONTH
    function requireNode(IRegistry.NodeInput calldata input) internal pure returns (uint256 rate) {
        _requireLength("cpuModel", input.cpuModel, 0, ShortText.MAX);
        _requireLength("gpuModel", input.gpuModel, 0, ShortText.MAX);
        _requireCount("nCPU", input.nCPU, 0, MAX_COUNT);
        _requireCount("core", input.core, input.nCPU == 0 ? 0 : 1, MAX_COUNT);
        _requireCount("nGPU", input.nGPU, 0, MAX_COUNT);
        _requireCount("nMEM", input.nMEM, 0, MAX_GB);
        _requireCount("nDISK", input.nDISK, 0, MAX_GB);
        if (input.nCPU == 0 && input.nGPU == 0) revert IRegistry.NoProcessor();
        rate = _value(input.pCPU, input.nCPU) + _value(input.pGPU, input.nGPU) + _value(input.pMEM, input.nMEM)
            + _value(input.pDISK, input.nDISK);
        if (rate == 0) revert IRegistry.ZeroRate();
        if (rate >= MAX_RATE) revert IRegistry.RateTooHigh(rate, MAX_RATE - 1);
    }

    function _value(uint256 price, uint256 num) private pure returns (uint256) {
        if (price >= MAX_RATE) revert IRegistry.PriceTooHigh(price, MAX_RATE - 1);
        if (price % GWEI != 0) revert IRegistry.PriceGranularity(price);
        return price * num;
    }

    function _requireLength(string memory field, string calldata text, uint256 min, uint256 max) private pure {
        uint256 length = bytes(text).length;
        if (length < min || length > max) revert IRegistry.LengthOutOfBounds(field, length, min, max);
    }

    function _requireCount(string memory field, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert IRegistry.CountOutOfBounds(field, value, min, max);
    }
}
