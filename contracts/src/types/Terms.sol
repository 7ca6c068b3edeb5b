// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The hardware and prices of a node at one of its revisions.
/// @dev Prices are wei of Credit (18 decimals) per unit and MONTH (2,592,000 s), multiples of 1e9.
struct Terms {
    uint256 pCPU; // per processor
    uint256 pGPU; // per GPU
    uint256 pMEM; // per GB of memory
    uint256 pDISK; // per GB of storage
    uint16 nCPU; // processors
    uint16 nGPU; // GPUs
    uint32 nMEM; // GB of memory
    uint32 nDISK; // GB of storage
}
