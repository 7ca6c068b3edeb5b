// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IAccess } from "../interfaces/IAccess.sol";
import { RewardSpans } from "../libraries/RewardSpans.sol";
import { OrderBook } from "./OrderBook.sol";

/// @title Parameters
/// @notice What the owner may tune for new orders, each within a hard bound. An order keeps the values it was created with.
abstract contract Parameters is OrderBook {
    using SafeCast for uint256;

    uint256 private constant MAX_FEE_BPS = 1000;
    uint256 private constant MAX_PROBATION = 24 hours;
    uint256 private constant MAX_PENALTY = 168 hours;

    modifier onlyOwner() {
        _requireOwner();
        _;
    }

    constructor(Params memory initial) {
        _setFeeBps(initial.feeBps);
        _setProbation(initial.probation);
        _setPenalty(initial.penalty);
        _setHoldback(initial.holdback);
        _setRewardDayCap(initial.rewardDayCap);
    }

    function setFeeBps(uint16 value) external onlyOwner {
        _setFeeBps(value);
    }

    function setProbation(uint32 value) external onlyOwner {
        _setProbation(value);
    }

    function setHoldback(uint32 value) external onlyOwner {
        _setHoldback(value);
    }

    function setPenalty(uint32 value) external onlyOwner {
        _setPenalty(value);
    }

    function setRewardDayCap(uint256 value) external onlyOwner {
        _setRewardDayCap(value);
    }

    function _requireOwner() private view {
        if (msg.sender != IAccess(access).owner()) revert NotOwner(msg.sender);
    }

    function _setFeeBps(uint256 value) private {
        _requireBounds("feeBps", value, 0, MAX_FEE_BPS);

        _totals.feeBps = value.toUint16();
        emit ParamSet("feeBps", value);
    }

    function _setProbation(uint256 value) private {
        _requireBounds("probation", value, 0, MAX_PROBATION);

        _totals.probation = value.toUint24();
        emit ParamSet("probation", value);
    }

    /// @dev The penalty is never below the holdback: dropping an order must not pay better than letting it run.
    function _setHoldback(uint256 value) private {
        uint256 penalty = uint256(_totals.penaltyHours) * 1 hours;
        _requireHours("holdback", value, 0, penalty);

        _totals.holdbackHours = (value / 1 hours).toUint8();
        emit ParamSet("holdback", value);
    }

    function _setPenalty(uint256 value) private {
        uint256 holdback = uint256(_totals.holdbackHours) * 1 hours;
        _requireHours("penalty", value, holdback, MAX_PENALTY);

        _totals.penaltyHours = (value / 1 hours).toUint8();
        emit ParamSet("penalty", value);
    }

    function _setRewardDayCap(uint256 value) private {
        _requireBounds("rewardDayCap", value, 0, RewardSpans.MAX_CAP);

        _rewardDayCap = value;
        emit ParamSet("rewardDayCap", value);
    }

    function _requireBounds(bytes32 name, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert ParamOutOfBounds(name, value, min, max);
    }

    function _requireHours(bytes32 name, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max || value % 1 hours != 0) revert ParamOutOfBounds(name, value, min, max);
    }
}
