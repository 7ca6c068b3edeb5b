// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { Ownable2Step } from "@openzeppelin/contracts/access/Ownable2Step.sol";
import { ERC20 } from "solady/tokens/ERC20.sol";
import { ICredit } from "./interfaces/ICredit.sol";

/// @title Credit
/// @dev The promises are in ICredit.
contract Credit is ERC20, Ownable2Step, ICredit {
    constructor(address owner_) Ownable(owner_) { }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }

    function burnFrom(address from, uint256 amount) external {
        _spendAllowance(from, msg.sender, amount);
        _burn(from, amount);
    }

    function renounceOwnership() public pure override {
        revert RenounceDisabled();
    }

    function name() public pure override returns (string memory) {
        return "Rackfair Credit";
    }

    function symbol() public pure override returns (string memory) {
        return "CREDIT";
    }

    /// @dev An allowance nobody gave would be one more thing to trust.
    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
