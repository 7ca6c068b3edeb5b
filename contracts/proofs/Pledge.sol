// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { PledgeParts } from "parts/Pledge.sol";

/// @notice What a booking of interest takes and gives, in every state that the fields of a Pledge can hold.
contract InterestProof is PledgeParts {
    /// @dev There is less Credit than that, and less than that is borne by one.
    modifier within() {
        require(_totalLocked < 1 << 96 && _rate <= 1e18 && _pool < 1 << 96 && _owed < 1 << 96 && _index < 1 << 120);
        require(block.timestamp >= _accruedAt && block.timestamp < 1 << 40);
        _;
    }

    function aBookingTakesNoMoreThanThePoolHolds() public view within {
        (uint256 step, uint256 used) = _pending();
        assert(used <= _pool);
        assert(step * _totalLocked <= used * INDEX_ONE);
    }

    function aBookingMovesWhatItTakesToWhatIsOwed() public within {
        uint256 sum = uint256(_pool) + _owed;
        uint256 index = _index;
        _accrue();
        assert(uint256(_pool) + _owed == sum);
        assert(_index >= index);
    }

    /// @dev One account and all others together, each of whom is again one and the others.
    function accountsTogetherNeverGetMoreThanIsTaken(uint256 mine, uint256 others) public view within {
        require(mine + others == _totalLocked);
        (uint256 step, uint256 used) = _pending();
        assert(mine * step / INDEX_ONE + others * step / INDEX_ONE <= used);
    }
}
