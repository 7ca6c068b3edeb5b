// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";

/// @title TestUsdt
/// @notice USDT for the development chain, with the quirks of the real one that break programs written for other tokens: six decimals,
/// functions that return nothing, an allowance that must be reset to zero before it changes, and a fee that its owner can switch on.
contract TestUsdt is Ownable {
    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    /// @notice In 1/10,000 of each transfer, for the owner.
    uint256 public basisPointsRate;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @dev The real one reverts without a reason; these name the rule that was broken.
    error BalanceTooSmall();
    error AllowanceTooSmall();
    error ResetAllowanceFirst();

    constructor(address owner_) Ownable(owner_) { }

    function mint(address to, uint256 value) external onlyOwner {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    /// @notice At most 20 (0.2 %), as in the real one.
    function setFee(uint256 basisPoints) external onlyOwner {
        basisPointsRate = basisPoints < 20 ? basisPoints : 20;
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert AllowanceTooSmall();
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        if (value != 0 && allowance[msg.sender][spender] != 0) revert ResetAllowanceFirst();
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _move(address from, address to, uint256 value) private {
        if (balanceOf[from] < value) revert BalanceTooSmall();
        uint256 fee = value * basisPointsRate / 10_000;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        balanceOf[owner()] += fee;
        emit Transfer(from, to, value - fee);
        if (fee > 0) emit Transfer(from, owner(), fee);
    }
}
