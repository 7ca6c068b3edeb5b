// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev What a key of a purse may do; a grant holds their sum.
uint8 constant RIGHT_BUY = 1;
/// @dev Also to move an order to the next Market.
uint8 constant RIGHT_EXTEND = 2;
uint8 constant RIGHT_END = 4;
/// @dev To sign deploy and clean requests.
uint8 constant RIGHT_DEPLOY = 8;
/// @dev To sign for logs, terminal, files and usage, and to sign in.
uint8 constant RIGHT_WORKSPACE = 16;
/// @dev To buy from every provider, not only from those that the grant lists.
uint8 constant RIGHT_ANY_PROVIDER = 32;
