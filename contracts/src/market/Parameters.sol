// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import { IMarket } from "../interfaces/IMarket.sol";
import { RewardSpans } from "../libraries/RewardSpans.sol";
import { MarketState } from "./MarketState.sol";

/// @title Parameters
/// @notice The hard bounds of what the owner may set for new orders. An order keeps the values it was created with.
abstract contract Parameters is MarketState {
    using SafeCast for uint256;

    uint256 private constant MAX_COMMISSION_BPS = 1000;
    /// @dev What dropping an order in its probation costs, A(1 h), is never below what the provider is paid for it without a report.
    uint256 private constant MAX_PROBATION = 1 hours;
    uint256 private constant MAX_PENALTY = 168 hours;
    /// @dev Of each share: at their maximum, the two use up all of the commission.
    uint256 private constant MAX_SHARE = 5000;

    function _setCommissionBps(uint256 value) internal {
        _requireBounds("commissionBps", value, 0, MAX_COMMISSION_BPS);

        _totals.commissionBps = value.toUint16();
        emit IMarket.ParamSet("commissionBps", value);
    }

    function _setProbation(uint256 value) internal {
        _requireBounds("probation", value, 0, MAX_PROBATION);

        _totals.probation = value.toUint16();
        emit IMarket.ParamSet("probation", value);
    }

    /// @dev The penalty is never below the holdback: dropping an order must not pay better than letting it run.
    function _setHoldback(uint256 value) internal {
        uint256 penalty = uint256(_totals.penaltyHours) * 1 hours;
        _requireHours("holdback", value, 0, penalty);

        _totals.holdbackHours = (value / 1 hours).toUint8();
        emit IMarket.ParamSet("holdback", value);
    }

    function _setPenalty(uint256 value) internal {
        uint256 holdback = uint256(_totals.holdbackHours) * 1 hours;
        _requireHours("penalty", value, holdback, MAX_PENALTY);

        _totals.penaltyHours = (value / 1 hours).toUint8();
        emit IMarket.ParamSet("penalty", value);
    }

    function _setRewardDayCap(uint256 value) internal {
        _requireBounds("rewardDayCap", value, 0, RewardSpans.MAX_CAP);

        _rewardDayCap = value.toUint96();
        emit IMarket.ParamSet("rewardDayCap", value);
    }

    function _setInterestShare(uint256 value) internal {
        _requireBounds("interestShare", value, 0, MAX_SHARE);

        _interestShare = value.toUint16();
        emit IMarket.ParamSet("interestShare", value);
    }

    function _setMonitorShare(uint256 value) internal {
        _requireBounds("monitorShare", value, 0, MAX_SHARE);

        _monitorShare = value.toUint16();
        emit IMarket.ParamSet("monitorShare", value);
    }

    function _requireBounds(bytes32 name, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max) revert IMarket.ParamOutOfBounds(name, value, min, max);
    }

    function _requireHours(bytes32 name, uint256 value, uint256 min, uint256 max) private pure {
        if (value < min || value > max || value % 1 hours != 0) revert IMarket.ParamOutOfBounds(name, value, min, max);
    }
}
