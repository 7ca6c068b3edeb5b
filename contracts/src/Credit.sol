// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { ERC20 } from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20Burnable } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { ERC20Permit } from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import { ICredit } from "./interfaces/ICredit.sol";
import { DEVELOPMENT_CHAIN } from "./types/Constants.sol";

/// @title Credit
/// @dev See {ICredit}.
contract Credit is ERC20Permit, ERC20Burnable, Ownable2Step, ICredit {
    address public immutable gate;

    constructor(address owner_, address gate_) ERC20("Rackfair Credit", "CREDIT") ERC20Permit("Rackfair Credit") Ownable(owner_) {
        gate = gate_;
    }

    function mint(address to, uint256 amount) external {
        if (msg.sender != gate) {
            _checkOwner();
            if (block.chainid != DEVELOPMENT_CHAIN) revert MintThroughGate(gate);
        }
        _mint(to, amount);
    }

    function renounceOwnership() public pure override {
        revert RenounceDisabled();
    }
}
