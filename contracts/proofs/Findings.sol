// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { FindingsParts } from "parts/Findings.sol";

/// @notice How many votes decide, for every number of monitors.
contract QuorumProof is FindingsParts {
    uint256 private constant MONITORS = 64;
    uint256 private constant DRAWN = 5;

    /// @dev Two sets of so many have a monitor in common: two findings that exclude each other need one that reported both.
    function whatIsFoundHasMoreThanHalf(uint256 drawn) external pure {
        require(drawn <= DRAWN);
        assert(2 * needed(drawn) > drawn);
        assert(needed(drawn) >= 2);
        if (drawn >= 2) assert(needed(drawn) <= drawn);
    }

    function oneMoreIsNeverEnoughForLess(uint256 drawn) external pure {
        require(drawn < DRAWN);
        assert(needed(drawn) <= needed(drawn + 1));
        assert(neededToContest(drawn) <= neededToContest(drawn + 1));
    }

    /// @dev Liars are at most a third of all; of those who tell the truth, all but the five drawn can be witnesses.
    function aThirdNeitherContestsNorHindersIt(uint256 all, uint256 liars) external pure {
        require(all <= MONITORS && liars <= all / 3);
        assert(liars < neededToContest(all));
        if (all >= 16) assert(all - liars - DRAWN >= neededToContest(all));
    }
}
