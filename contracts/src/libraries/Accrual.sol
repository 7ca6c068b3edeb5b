// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { ALLOWED_PART, EXCUSED_DOWNTIME, MONTH } from "../types/Constants.sol";

/// @title Accrual
/// @notice The closed formulas of an order's money. Amounts are wei, a rate is wei per MONTH, times are seconds. Everything is rounded down
/// unless stated otherwise.
library Accrual {
    /// @notice A(t) = floor(rate * t / MONTH): never a rounded price per second, so that no split of time changes a sum.
    function accrued(uint256 rate, uint256 time) internal pure returns (uint256) {
        return rate * time / MONTH;
    }

    /// @notice What is earned by `time` and not yet paid. Saturates at 0: a downtime statement may be ahead of what is settled.
    function due(uint256 rate, uint256 remuneration, uint256 activateTime, uint256 down, uint256 time) internal pure returns (uint256) {
        uint256 unpaidFrom = activateTime + down;
        if (time <= unpaidFrom) return 0;
        uint256 earned = accrued(rate, time - unpaidFrom);
        return earned > remuneration ? earned - remuneration : 0;
    }

    /// @notice clamp(now_ - holdback, activateTime, end): what is due before it is final.
    function edge(uint256 now_, uint256 holdback, uint256 activateTime, uint256 end) internal pure returns (uint256) {
        if (now_ <= activateTime + holdback) return activateTime;
        uint256 time = now_ - holdback;
        return time < end ? time : end;
    }

    /// @notice The commission on `gross` after `remuneration` was earned, such that any split of payments pays the same in total.
    function commission(uint256 remuneration, uint256 gross, uint256 commissionBps) internal pure returns (uint256) {
        return (remuneration + gross) * commissionBps / 10_000 - remuneration * commissionBps / 10_000;
    }

    /// @notice The seconds that `remuneration` has paid for, rounded up. `rate` > 0.
    function paidSeconds(uint256 rate, uint256 remuneration) internal pure returns (uint256) {
        return (remuneration * MONTH + rate - 1) / rate;
    }

    /// @notice The downtime after a statement of `total` seconds as of `asOf`, for an order settled to its edge: never less than `down`,
    /// never reaching into paid seconds, and none after the `end`.
    function downtime(uint256 rate, uint256 remuneration, uint256 activateTime, uint256 end, uint256 down, uint256 total, uint256 asOf)
        internal
        pure
        returns (uint256)
    {
        uint256 until = asOf < end ? asOf : end;
        uint256 floor = activateTime + paidSeconds(rate, remuneration);
        uint256 reach = until > floor ? until - floor : 0;
        uint256 wanted = total < reach ? total : reach;
        return wanted > down ? wanted : down;
    }

    /// @notice The seconds of `down` that are paid once more, `time` seconds after the activation: what is neither announced nor within
    /// 0.5 % of that time, at most `penalty`, and never less than `before`.
    function twice(uint256 before, uint256 down, uint256 announced, uint256 time, uint256 penalty) internal pure returns (uint256) {
        uint256 allowed = announced + time / ALLOWED_PART;
        uint256 beyond = down > allowed ? down - allowed : 0;
        uint256 wanted = beyond < penalty ? beyond : penalty;
        return wanted > before ? wanted : before;
    }

    /// @notice The downtime beyond which a provider may drop an order without a penalty, `time` seconds after the activation.
    function excused(uint256 time) internal pure returns (uint256) {
        return time < MONTH ? EXCUSED_DOWNTIME : EXCUSED_DOWNTIME * time / MONTH;
    }
}
