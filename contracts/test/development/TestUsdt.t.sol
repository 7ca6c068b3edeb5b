// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { TestUsdt } from "../../src/development/TestUsdt.sol";

contract TestUsdtTest is Test {
    TestUsdt private _usdt = new TestUsdt(makeAddr("owner"));
    address private _holder = makeAddr("holder");
    address private _spender = makeAddr("spender");

    function setUp() public {
        vm.prank(makeAddr("owner"));
        _usdt.mint(_holder, 10);
    }

    function test_AnAllowanceGoesToZeroBeforeItChanges() public {
        vm.startPrank(_holder);
        _usdt.approve(_spender, 5);
        vm.expectRevert(TestUsdt.ResetAllowanceFirst.selector);
        _usdt.approve(_spender, 6);
        _usdt.approve(_spender, 0);
        _usdt.approve(_spender, 6);
        assertEq(_usdt.allowance(_holder, _spender), 6);
    }

    function test_TheLargestAllowanceIsNotSpent() public {
        vm.prank(_holder);
        _usdt.approve(_spender, type(uint256).max);
        vm.prank(_spender);
        _usdt.transferFrom(_holder, _spender, 4);
        assertEq(_usdt.allowance(_holder, _spender), type(uint256).max);
        assertEq(_usdt.balanceOf(_spender), 4);
    }

    function test_TheFeeIsAtMostAFifthOfAPercentAndGoesToTheOwner() public {
        vm.startPrank(makeAddr("owner"));
        _usdt.setFee(500);
        _usdt.mint(_holder, 9990);
        vm.stopPrank();
        vm.prank(_holder);
        _usdt.transfer(_spender, 10_000);
        assertEq(_usdt.balanceOf(_spender), 9980);
        assertEq(_usdt.balanceOf(makeAddr("owner")), 20);
    }

    bytes32 private constant NONCE = keccak256("a payment");

    function signed(string memory who, uint256 value, uint256 validAfter, uint256 validBefore) private returns (bytes memory) {
        (address from, uint256 signingKey) = makeAddrAndKey(who);
        bytes32 kind = keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        bytes32 domainType = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(domainType, keccak256("Test Tether USD"), keccak256("1"), block.chainid, address(_usdt)));
        bytes32 content = keccak256(abi.encode(kind, from, _spender, value, validAfter, validBefore, NONCE));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signingKey, keccak256(abi.encodePacked("\x19\x01", domain, content)));
        return abi.encodePacked(r, s, v);
    }

    function test_AnAuthorizationMovesWhatWasSignedOnceWhoeverBringsIt() public {
        vm.warp(1000);
        bytes memory signature = signed("holder", 4, 999, 1001);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        _usdt.transferWithAuthorization(_holder, _spender, 4, 999, 1001, NONCE, uint8(signature[64]), r, s);
        assertEq(_usdt.balanceOf(_spender), 4);
        assertTrue(_usdt.authorizationState(_holder, NONCE));
        vm.expectRevert(TestUsdt.AuthorizationUsedAlready.selector);
        _usdt.transferWithAuthorization(_holder, _spender, 4, 999, 1001, NONCE, signature);
    }

    function test_AnAuthorizationCountsBetweenItsTimesAndByItsSignerOnly() public {
        vm.warp(1000);
        bytes memory signature = signed("holder", 4, 1000, 1002);
        vm.expectRevert(TestUsdt.AuthorizationNotValidNow.selector);
        _usdt.transferWithAuthorization(_holder, _spender, 4, 1000, 1002, NONCE, signature);
        vm.warp(1002);
        vm.expectRevert(TestUsdt.AuthorizationNotValidNow.selector);
        _usdt.transferWithAuthorization(_holder, _spender, 4, 1000, 1002, NONCE, signature);
        vm.warp(1001);
        vm.expectRevert(TestUsdt.SignatureInvalid.selector);
        _usdt.transferWithAuthorization(_holder, _spender, 5, 1000, 1002, NONCE, signature);
        bytes memory others = signed("spender", 4, 1000, 1002);
        vm.expectRevert(TestUsdt.SignatureInvalid.selector);
        _usdt.transferWithAuthorization(_holder, _spender, 4, 1000, 1002, NONCE, others);
        _usdt.transferWithAuthorization(_holder, _spender, 4, 1000, 1002, NONCE, signature);
    }
}
