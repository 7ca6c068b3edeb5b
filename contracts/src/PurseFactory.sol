// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibClone } from "solady/utils/LibClone.sol";
import { Purse } from "./Purse.sol";
import { IPurseFactory } from "./interfaces/IPurseFactory.sol";

/// @title PurseFactory
/// @dev See {IPurseFactory}. A purse is a minimal proxy with its owner appended to its code: nothing can change either.
contract PurseFactory is IPurseFactory {
    address public immutable implementation;
    address public immutable access;
    address public immutable credit;

    constructor(address access_, address credit_) {
        (access, credit) = (access_, credit_);
        implementation = address(new Purse(access_, credit_));
    }

    function create(address owner) external returns (address purse) {
        if (owner == address(0)) revert OwnerMissing();
        bool exists;
        (exists, purse) = LibClone.createDeterministicClone(implementation, abi.encodePacked(owner), 0);
        if (!exists) emit PurseCreated(owner, purse);
    }

    function purseOf(address owner) external view returns (address purse, bool exists) {
        purse = LibClone.predictDeterministicAddress(implementation, abi.encodePacked(owner), 0, address(this));
        exists = purse.code.length != 0;
    }
}
