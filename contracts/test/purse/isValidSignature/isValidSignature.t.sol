// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IPurse } from "../../../src/interfaces/IPurse.sol";
import { RIGHT_BUY, RIGHT_DEPLOY, RIGHT_WORKSPACE } from "../../../src/types/Rights.sol";
import { SignatureWallet } from "../../fixtures/SignatureWallet.sol";
import { PurseBase } from "../PurseBase.sol";

contract IsValidSignatureTest is PurseBase {
    uint64 private _id;

    function setUp() public override {
        super.setUp();
        _id = runFor(key);
    }

    function keyVouches(string memory text) private view returns (bool) {
        return vouches(address(purse), text, key, keyKey);
    }

    function test_WhenTheOwnerSignedAText_ItStandsByIt() public view {
        assertTrue(vouches(address(purse), "any text", user, userKey));
        assertTrue(vouches(address(purse), deployText(77), user, userKey));
    }

    function test_WhenTheOwnerSignedTypedData_ItDoesNot() public view {
        bytes32 permit = keccak256("a permit of another token");
        assertFalse(isValid(address(purse), permit, abi.encode(user, bytes("any text"), signWith(userKey, nested(address(purse), permit)))));
    }

    function test_WhenAStrangerSigned_ItDoesNot() public {
        (address other, uint256 otherKey) = makeAddrAndKey("other");
        assertFalse(vouches(address(purse), deployText(_id), other, otherKey));
        assertFalse(vouches(address(purse), deployText(_id), key, otherKey));
        assertFalse(vouches(address(purse), deployText(_id), user, otherKey));
    }

    function test_WhenTheTextIsNotTheOneOfTheHash_ItDoesNot() public view {
        bytes32 hash = textHash("I pay you everything");
        bytes memory signature = signWith(keyKey, nested(address(purse), hash));
        assertFalse(isValid(address(purse), hash, abi.encode(key, bytes(deployText(_id)), signature)));
    }

    function test_WhenTheKeySignedADeployTextOfItsOrder_ItStandsByIt() public {
        assertTrue(keyVouches(deployText(_id)));
        change(withRights(RIGHT_DEPLOY));
        assertTrue(keyVouches(deployText(_id)));
    }

    function test_WhenTheKeyMayNotDeploy_ItDoesNot() public {
        change(withRights(RIGHT_WORKSPACE));
        assertFalse(keyVouches(deployText(_id)));
    }

    function test_WhenTheKeySignedADeployTextOfAnotherOrder_ItDoesNot() public {
        uint64 ofOwner = buyFor(user, addNode(provider), 30 days);
        assertFalse(keyVouches(deployText(ofOwner)));
        assertFalse(keyVouches(deployText(77)));
        assertFalse(keyVouches("order: \ndeploy: 2"));
        assertFalse(keyVouches("order: "));
        assertFalse(keyVouches("order: /1"));
        assertFalse(keyVouches("order: :1"));
        assertFalse(keyVouches("order: 18446744073709551617"));
    }

    function test_WhenTheKeySignedAWorkspaceTextOfItsOrder_ItStandsByIt() public {
        change(withRights(RIGHT_WORKSPACE));
        assertTrue(keyVouches(workspaceText(_id)));
    }

    function test_WhenTheKeySignedAWorkspaceTextOfAnotherOrder_ItDoesNot() public view {
        assertFalse(keyVouches(workspaceText(77)));
    }

    function test_WhenTheKeyMayNotUseWorkspaces_ItDoesNot() public {
        change(withRights(RIGHT_DEPLOY | RIGHT_BUY));
        assertFalse(keyVouches(workspaceText(_id)));
        assertFalse(keyVouches(signInText()));
    }

    function test_WhenTheKeySignedIn_ItStandsByIt() public {
        change(withRights(RIGHT_WORKSPACE));
        assertTrue(keyVouches(signInText()));
    }

    function test_WhenTheKeySignedAnotherText_ItDoesNot() public view {
        assertFalse(keyVouches("any text"));
        assertFalse(keyVouches(" order: 1"));
        assertFalse(
            keyVouches("evil.example wants you to sign in with your Ethereum account:\n0x1\n\nWithdraw all.\n\nURI: https://evil.example")
        );
    }

    function test_WhenTheKeyHasExpired_ItDoesNot() public {
        pass(10_000 days + 1);
        assertFalse(keyVouches(deployText(_id)));
    }

    function test_WhenTheKeyWasRevoked_ItDoesNot() public {
        vm.prank(user);
        purse.revoke(key);
        assertFalse(keyVouches(deployText(_id)));
    }

    function test_WhenItWasSignedForAnotherPurse_ItDoesNot() public {
        IPurse other = IPurse(factory.create(stranger));
        vm.prank(stranger);
        other.grant(key, limits(), new address[](0));
        assertTrue(vouches(address(other), signInText(), key, keyKey));
        bytes32 hash = textHash(signInText());
        bytes memory signed = signWith(keyKey, nested(address(other), hash));
        assertFalse(isValid(address(purse), hash, abi.encode(key, bytes(signInText()), signed)));
    }

    function test_WhenItWasSignedForNoPurse_ItDoesNot() public view {
        bytes32 hash = textHash(signInText());
        assertFalse(isValid(address(purse), hash, abi.encode(key, bytes(signInText()), signWith(keyKey, hash))));
    }

    function test_WhenTheKeyIsADelegatedAccount_ItStandsByItsSignature() public {
        vm.etch(key, hex"ef0100dc64a140aa3e981100a9beca4e685f962f0cf6c9");
        assertTrue(keyVouches(deployText(_id)));
    }

    function test_WhenTheKeyIsAContract_ItAsksIt() public {
        (address signer, uint256 signingKey) = makeAddrAndKey("signer");
        address wallet = address(new SignatureWallet(signer));
        give(wallet, limits());
        assertTrue(vouches(address(purse), signInText(), wallet, signingKey));
        assertFalse(vouches(address(purse), signInText(), wallet, keyKey));
    }

    function test_WhenItIsNotOfItsForm_ItReverts() public {
        vm.expectRevert();
        purse.isValidSignature(textHash("any text"), hex"01");
    }
}
