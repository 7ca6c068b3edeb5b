// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";
import { EIP712 } from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import { SignatureCheckerLib } from "solady/utils/SignatureCheckerLib.sol";

/// @title TestUsdt
/// @notice USDT for the development chain, with the quirks of the real one that break programs written for other tokens: six decimals,
/// functions that return nothing, an allowance that must be reset to zero before it changes, and a fee that its owner can switch on. Like
/// USDC, and unlike USDT on most chains, it moves by signed authorizations (EIP-3009), which is how x402 pays.
contract TestUsdt is Ownable, EIP712 {
    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    string public constant version = "1";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    /// @notice In 1/10,000 of each transfer, for the owner.
    uint256 public basisPointsRate;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    /// @notice Whether `nonce` of `authorizer` was used.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    bytes32 private constant TRANSFER_WITH_AUTHORIZATION =
        keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    /// @dev The real one reverts without a reason; these name the rule that was broken.
    error BalanceTooSmall();
    error AllowanceTooSmall();
    error ResetAllowanceFirst();
    error AuthorizationNotValidNow();
    error AuthorizationUsedAlready();
    error SignatureInvalid();

    constructor(address owner_) Ownable(owner_) EIP712(name, version) { }

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

    /// @notice Moves `value` as `from` signed it. Anyone, once, after `validAfter` and before `validBefore`, which are Unix seconds.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice The same, with the signature of a contract account, too.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) revert AuthorizationNotValidNow();
        if (authorizationState[from][nonce]) revert AuthorizationUsedAlready();
        bytes32 content = keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION, from, to, value, validAfter, validBefore, nonce));
        if (!SignatureCheckerLib.isValidSignatureNow(from, _hashTypedDataV4(content), signature)) revert SignatureInvalid();
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _move(from, to, value);
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
