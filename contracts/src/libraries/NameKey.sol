// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title NameKey
/// @notice Maps names that read the same to the same key. It limits what a name can imitate without refusing any script; what is left is
/// for the screen to mark.
/// @dev Works on UTF-8: ASCII, full width forms, Cyrillic and Greek are folded to the lower-case Latin letter they resemble; characters
/// that are invisible, or neither a letter nor a digit, are dropped; any other character counts as it is. Accents, compatibility forms and
/// other scripts are not compared.
library NameKey {
    /// @dev The Latin lookalike of each character from U+0430 on; a dot where there is none.
    bytes private constant CYRILLIC = "a.b..e....k.mho.pcty.x...............si.j...........";
    uint256 private constant CYRILLIC_FIRST = 0x430;
    /// @dev The same from U+0391 on. Some capitals resemble other letters than their lower-case forms do.
    bytes private constant GREEK = "ab..ezh.ik.mn.o.p..ty.x.........ab..e.n.ik..v.o.p..tu.x..";
    uint256 private constant GREEK_FIRST = 0x391;

    /// @notice Zero if the name has no readable character.
    function keyOf(bytes memory name) internal pure returns (bytes32) {
        bytes memory key = new bytes(name.length);
        uint256 size = 0;
        uint256 i = 0;
        while (i < name.length) {
            (uint256 point, uint256 width) = _decode(name, i);
            uint256 folded = _fold(point);
            if (folded < 0x80) {
                // below 0x80
                // forge-lint: disable-next-line(unsafe-typecast)
                if (folded != 0) size = _append(key, size, bytes1(uint8(folded)));
            } else if (folded != point) {
                // A lower-case letter. Those with capitals here lie below U+0800, in two bytes as the capitals do.
                // forge-lint: disable-next-line(unsafe-typecast)
                (key[size], key[size + 1]) = (bytes1(uint8(0xc0 | (folded >> 6))), bytes1(uint8(0x80 | (folded & 0x3f))));
                size += 2;
            } else {
                for (uint256 k = 0; k < width; ++k) {
                    key[size++] = name[i + k];
                }
            }
            i += width;
        }
        if (size == 0) return 0;
        assembly ("memory-safe") {
            mstore(key, size)
        }
        return keccak256(key);
    }

    /// @dev Two letters that together resemble one.
    function _append(bytes memory key, uint256 size, bytes1 letter) private pure returns (uint256) {
        bytes1 before = size == 0 ? bytes1(0) : key[size - 1];
        if (letter == "n" && before == "r") key[size - 1] = "m";
        else if (letter == "v" && before == "v") key[size - 1] = "w";
        else key[size++] = letter;
        return size;
    }

    /// @dev The character at `i` and its length in bytes. A byte that starts no character counts as an invisible one.
    function _decode(bytes memory name, uint256 i) private pure returns (uint256 point, uint256 width) {
        uint256 first = uint8(name[i]);
        if (first < 0x80) return (first, 1);
        if (first < 0xc2 || first > 0xf4) return (0, 1);
        width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (i + width > name.length) return (0, 1);
        point = first & (2 ** (7 - width) - 1);
        for (uint256 k = 1; k < width; ++k) {
            uint256 next = uint8(name[i + k]);
            if (next & 0xc0 != 0x80) return (0, 1);
            point = (point << 6) | (next & 0x3f);
        }
    }

    /// @dev A Latin letter or digit below 0x80, 0 for what is ignored, or the character itself.
    function _fold(uint256 point) private pure returns (uint256) {
        if (point >= 0xff01 && point <= 0xff5e) point -= 0xfee0;
        if (point < 0x80) return _foldAscii(point);
        if (point < 0xc0 || _isUnseen(point)) return 0;
        // Capitals: Latin-1, the two rows of Cyrillic, and the Greek ones that resemble no Latin letter.
        if (point <= 0xde && point != 0xd7) return point + 0x20;
        if (point >= 0x410 && point <= 0x42f) point += 0x20;
        else if (point >= 0x400 && point <= 0x40f) point += 0x50;
        return _foldLetter(point);
    }

    function _foldAscii(uint256 point) private pure returns (uint256) {
        if (point >= 0x41 && point <= 0x5a) point += 0x20;
        if (point == 0x30) return 0x6f; // 0 o
        if (point == 0x31 || point == 0x69 || point == 0x7c) return 0x6c; // 1 i | l
        if (point == 0x35) return 0x73; // 5 s
        if (point == 0x38) return 0x62; // 8 b
        bool counts = (point >= 0x30 && point <= 0x39) || (point >= 0x61 && point <= 0x7a);
        return counts ? point : 0;
    }

    function _foldLetter(uint256 point) private pure returns (uint256) {
        bytes1 latin = ".";
        if (point >= CYRILLIC_FIRST && point < CYRILLIC_FIRST + CYRILLIC.length) latin = CYRILLIC[point - CYRILLIC_FIRST];
        else if (point >= GREEK_FIRST && point < GREEK_FIRST + GREEK.length) latin = GREEK[point - GREEK_FIRST];
        if (latin != ".") return _foldAscii(uint8(latin));
        return point >= 0x391 && point <= 0x3a9 ? point + 0x20 : point;
    }

    /// @dev Spaces, joiners, direction marks, combining accents, variation selectors, tags, private and unassigned planes.
    function _isUnseen(uint256 point) private pure returns (bool) {
        if (point < 0x1100) return (point >= 0x300 && point <= 0x36f) || point == 0x61c;
        if (point < 0x2000) return point == 0x115f || point == 0x1160 || point == 0x1680 || (point >= 0x180b && point <= 0x180f);
        if (point < 0x2100) return point <= 0x206f || point >= 0x20d0;
        if (point < 0xd800) return point == 0x3000 || point == 0x3164;
        if (point < 0x10000) {
            return point <= 0xf8ff || (point >= 0xfe00 && point <= 0xfe0f) || point == 0xfeff || point == 0xffa0 || point >= 0xfff0;
        }
        return point >= 0xe0000;
    }
}
