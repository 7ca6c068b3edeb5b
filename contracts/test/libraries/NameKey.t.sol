// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { NameKey } from "../../src/libraries/NameKey.sol";

/// @notice Which names look the same, character by character. The consequences for providers are in test/registry/register.
contract NameKeyTest is Test {
    /// @dev First and last character of every invisible range, and their visible neighbours; three bytes each.
    bytes private constant UNSEEN = hex"00002000007f0000800000bf00030000036f00061c00115f00116000168000180b00180f00200000206f0020d00020ff"
        hex"00300000316400d80000e00000f8ff00fe0000fe0f00feff00ff0100ffa000fff000ffff0e00000e00410effff0f0000" hex"10ffff";
    bytes private constant SEEN = hex"0000c00002ff00037000061b00061d00115e00116100167f00168100180a0018100020700020cf00210000300100d7ff"
        hex"00f90000fe100100000dffff";

    function test_LatinLettersAndDigitsThatLookAlikeAreOne() public pure {
        same("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz");
        same("0123456789", "ol234s67b9");
        same("|1iIlL", "llllll");
        same("corner", "comer");
        same("VVall", "wa11");
        same("r-n", "m");
        different("n", "m");
        different("v", "w");
    }

    function test_CapitalsOfEveryScriptThatIsFoldedAreTheSmallLetters() public pure {
        same(unicode"ÀÖØÞ", unicode"àöøþ");
        same(unicode"ΑΒΓΔΕΘΙΚΛΞΟΠΡΣΤΦΧΨΩ", unicode"αβγδεθικλξοπρστφχψω");
        same(
            unicode"АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ",
            unicode"абвгдежзийклмнопрстуфхцчшщъыьэюя"
        );
        same(unicode"ЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏ", unicode"ѐёђѓєѕіїјљњћќѝўџ");
        different(unicode"×", unicode"÷");
    }

    function test_LettersOfOtherScriptsAreTheLatinOnesTheyLookLike() public pure {
        same(unicode"авекмнорстухѕіј", "abekmhopctyxsij");
        same(unicode"αβεηικνορτυχ", "abenikvoptux");
        same(unicode"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx");
        same(unicode"ＡＺ０９！", "az09");
        different(unicode"ж", "k");
        different(unicode"λ", "l");
        // The last of each row, and the first after it.
        different(unicode"ѣ", unicode"Ѥ");
        different(unicode"ω", unicode"ϊ");
    }

    function test_AnyOtherCharacterCountsAsItIs() public pure {
        string[6] memory others = [unicode"ß", unicode"ł", unicode"机", unicode"가", unicode"ﬁ", unicode"𝐀"];
        for (uint256 i = 0; i < others.length; ++i) {
            assertEq(key(others[i]), keccak256(bytes(others[i])), others[i]);
        }
        different(unicode"🚀 rack", "rack");
        different(unicode"🚀", unicode"🚁");
        same(unicode"🚀 RACK", unicode"🚀-rack");
    }

    function test_WhatCannotBeSeenIsLeftOut() public pure {
        for (uint256 i = 0; i < UNSEEN.length; i += 3) {
            assertEq(NameKey.keyOf(utf8At(UNSEEN, i)), 0, vm.toString(i / 3));
        }
        for (uint256 i = 0; i < SEEN.length; i += 3) {
            assertNotEq(NameKey.keyOf(utf8At(SEEN, i)), 0, vm.toString(i / 3));
        }
    }

    /// @notice Invalid UTF-8 is skipped byte by byte, and hides nothing that follows.
    function test_BrokenBytesCountAsNothing() public pure {
        bytes[12] memory broken = [
            bytes(hex"80"), // continuation bytes without a start byte
            hex"bf",
            hex"c0", // never valid start bytes
            hex"c1",
            hex"f5",
            hex"ff",
            hex"c3", // truncated sequences that the next letter does not continue
            hex"e4",
            hex"e4b8",
            hex"f0",
            hex"f09f",
            hex"f09f9a"
        ];
        for (uint256 i = 0; i < broken.length; ++i) {
            assertEq(NameKey.keyOf(broken[i]), 0, "at the end");
            assertEq(NameKey.keyOf(abi.encodePacked("ra", broken[i], "ck")), key("rack"), "between letters");
        }
        assertEq(key(""), 0);
    }

    /// @notice For any bytes, adding invisible characters changes nothing, and neither does the case of a letter.
    function testFuzz_TheKeyOfAnyBytesIsStable(bytes memory name, uint8 letter) public pure {
        bytes32 plain = NameKey.keyOf(abi.encodePacked(name, "."));
        assertEq(NameKey.keyOf(abi.encodePacked(name, unicode".\u200b")), plain);
        bytes1 small = bytes1(0x61 + letter % 26);
        bytes1 capital = bytes1(0x41 + letter % 26);
        assertEq(NameKey.keyOf(abi.encodePacked(name, small)), NameKey.keyOf(abi.encodePacked(name, capital)));
    }

    function same(string memory a, string memory b) private pure {
        assertEq(key(a), key(b), string.concat(a, " reads as ", b));
        assertNotEq(key(a), 0, a);
    }

    function different(string memory a, string memory b) private pure {
        assertNotEq(key(a), key(b), string.concat(a, " does not read as ", b));
    }

    function key(string memory name) private pure returns (bytes32) {
        return NameKey.keyOf(bytes(name));
    }

    /// @dev The character in the three bytes from `i` on. Includes surrogates, which no valid text contains.
    function utf8At(bytes memory points, uint256 i) private pure returns (bytes memory) {
        uint256 point = (uint256(uint8(points[i])) << 16) | (uint256(uint8(points[i + 1])) << 8) | uint8(points[i + 2]);
        // each part has at most eight bits
        // forge-lint: disable-start(unsafe-typecast)
        if (point < 0x80) return abi.encodePacked(uint8(point));
        bytes memory last = abi.encodePacked(uint8(0x80 | (point & 0x3f)));
        if (point < 0x800) return abi.encodePacked(uint8(0xc0 | (point >> 6)), last);
        last = abi.encodePacked(uint8(0x80 | ((point >> 6) & 0x3f)), last);
        if (point < 0x10000) return abi.encodePacked(uint8(0xe0 | (point >> 12)), last);
        return abi.encodePacked(uint8(0xf0 | (point >> 18)), uint8(0x80 | ((point >> 12) & 0x3f)), last);
        // forge-lint: disable-end(unsafe-typecast)
    }
}
