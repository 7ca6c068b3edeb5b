// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Bonds } from "../src/libraries/Bonds.sol";
import { Tenure } from "../src/libraries/Tenure.sol";

/// @dev A bond has so many bits where it is kept, and so has a Unix time.
uint256 constant BONDS = 1 << 128;
uint256 constant UNIX = 1 << 40;

/// @notice What a lie costs, and what a place does.
contract BondProof {
    function aFineIsPartOfTheBond(uint256 bond, uint256 contradictions) external pure {
        require(bond < BONDS && contradictions < 256);
        assert(Bonds.fine(bond, contradictions) <= bond);
    }

    function theFirstCostsATwentiethAndTheSixthAll(uint256 bond) external pure {
        require(bond < BONDS);
        assert(Bonds.fine(bond, 0) == bond / 20);
        assert(Bonds.fine(bond, 5) == bond);
    }

    function eachFurtherOneCostsTwiceThePart(uint256 bond, uint256 contradictions) external pure {
        require(bond < BONDS && contradictions < 5);
        uint256 next = Bonds.fine(bond, contradictions + 1);
        assert(next >= bond || next >= 2 * Bonds.fine(bond, contradictions));
    }

    /// @dev What is burned and what the prover gets.
    function halfIsBurned(uint256 bond, uint256 contradictions) external pure {
        require(bond < BONDS && contradictions < 256);
        uint256 fine = Bonds.fine(bond, contradictions);
        uint256 burned = fine - fine / 2;
        assert(burned >= fine / 2);
        assert(burned + fine / 2 == fine);
    }

    /// @dev A place goes around only for more each time, and by no more than a tenth of it.
    function aPlaceIsOutbidByATenth(uint256 least) external pure {
        require(least >= 1000 ether / 20 && least < BONDS);
        uint256 asked = Bonds.toOutbid(least);
        assert(asked > least);
        assert(10 * asked > 11 * least - 10);
        assert(10 * asked <= 11 * least);
    }
}

/// @notice Who held a place through a period.
contract PlaceProof {
    uint256 private constant LENGTH = 8 hours;

    /// @dev So an older term need not be asked for: only the newest that had begun can be the one.
    function aPeriodHasOneHolder(uint256 from, uint256 until, uint256 nextFrom, uint256 nextUntil, uint256 period) external pure {
        require(from < until && until <= nextFrom && nextFrom < UNIX && (nextUntil == 0 || nextUntil >= nextFrom) && period < UNIX);
        (uint256 start, uint256 end) = (period * LENGTH, (period + 1) * LENGTH);
        bool isFirst = from <= start && Tenure.lasts(until, end);
        bool isNext = nextFrom <= start && Tenure.lasts(nextUntil, end);
        assert(!(isFirst && isNext));
        if (nextFrom <= start) assert(!isFirst);
    }

    /// @dev What makes room for another term is never asked for.
    function aTermWithoutAPeriodHoldsNone(uint256 from, uint256 until, uint256 period) external pure {
        require(from < UNIX && until < UNIX && until != 0 && period < UNIX);
        (uint256 start, uint256 end) = (period * LENGTH, (period + 1) * LENGTH);
        if (from <= start && Tenure.lasts(until, end)) assert(Tenure.hasPeriod(from, until, LENGTH));
    }

    /// @dev And what is kept has one: there are no more terms of a place than periods.
    function aTermThatIsKeptHoldsAPeriod(uint256 from, uint256 until) external pure {
        require(from < UNIX && until < UNIX && Tenure.hasPeriod(from, until, LENGTH));
        uint256 start = (from + LENGTH - 1) / LENGTH * LENGTH;
        assert(from <= start);
        assert(Tenure.lasts(until, start + LENGTH));
    }
}
