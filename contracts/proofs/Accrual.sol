// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Accrual } from "../src/libraries/Accrual.sol";
import { GWEI, MAX_DURATION, MAX_RATE, MONTH } from "../src/types/Constants.sol";

/// @dev Seconds and Unix times stay below the first, amounts of an order below the second: so many bits they have where they are kept.
uint256 constant TIMES = 1 << 40;
uint256 constant AMOUNTS = 1 << 96;

/// @notice What time costs.
contract AccruedProof {
    function accruedFitsAnOrder(uint256 rate, uint256 time) external pure {
        require(rate < MAX_RATE && time <= MAX_DURATION);
        assert(Accrual.accrued(rate, time) < AMOUNTS);
    }

    function accruedGrowsWithTime(uint256 rate, uint256 time, uint256 more) external pure {
        require(rate < MAX_RATE && time < TIMES && more < TIMES);
        assert(Accrual.accrued(rate, time) <= Accrual.accrued(rate, time + more));
    }

    function accruedOfASplitIsNeverMoreAndAtMostAWeiLess(uint256 rate, uint256 time, uint256 more) external pure {
        require(rate < MAX_RATE && time < TIMES && more < TIMES);
        uint256 split = Accrual.accrued(rate, time) + Accrual.accrued(rate, more);
        uint256 whole = Accrual.accrued(rate, time + more);
        assert(split <= whole);
        assert(whole <= split + 1);
    }
}

/// @notice What is earned and not paid, and when it is final.
contract DueProof {
    function dueNeverReachesBeyondTheClosedForm(uint256 rate, uint256 remuneration, uint256 activateTime, uint256 down, uint256 time)
        external
        pure
    {
        require(rate < MAX_RATE && remuneration < AMOUNTS && activateTime < TIMES && down < TIMES && time < 2 * TIMES);
        uint256 due = Accrual.due(rate, remuneration, activateTime, down, time);
        uint256 served = time > activateTime + down ? time - activateTime - down : 0;
        assert(due == 0 || due + remuneration == Accrual.accrued(rate, served));
        assert(due > 0 || Accrual.accrued(rate, served) <= remuneration);
        if (served == 0) assert(due == 0);
    }
}

contract EdgeProof {
    function edgeLiesBetweenActivationAndEndAndTheHoldbackBack(uint256 now_, uint256 holdback, uint256 activateTime, uint256 duration)
        external
        pure
    {
        require(now_ < TIMES && holdback <= 255 hours && activateTime < TIMES && duration < TIMES);
        uint256 end = activateTime + duration;
        uint256 edge = Accrual.edge(now_, holdback, activateTime, end);
        assert(activateTime <= edge && edge <= end);
        assert(edge == activateTime || edge + holdback <= now_);
        assert(edge == end || edge == activateTime || edge + holdback == now_);
    }
}

contract CommissionProof {
    function commissionIsWithinThePaymentAndDoesNotDependOnTheSplit(uint256 remuneration, uint256 first, uint256 second, uint256 commissionBps)
        external
        pure
    {
        require(remuneration < AMOUNTS && first < AMOUNTS && second < AMOUNTS && commissionBps <= 1000);
        uint256 whole = Accrual.commission(remuneration, first + second, commissionBps);
        assert(Accrual.commission(remuneration, first, commissionBps) + Accrual.commission(remuneration + first, second, commissionBps) == whole);
        assert(whole <= first + second);
    }
}

/// @notice What a report takes: no second that was paid, and no more of them than the window has.
contract ReportProof {
    function paidSecondsCoverWhatWasPaid(uint256 rate, uint256 remuneration) external pure {
        require(rate > 0 && rate < MAX_RATE && remuneration < AMOUNTS);
        uint256 time = Accrual.paidSeconds(rate, remuneration);
        assert(Accrual.accrued(rate, time) >= remuneration);
        if (time > 0) assert(rate * (time - 1) < remuneration * MONTH);
    }

    function aReportTakesNoSecondThatWasPaid(
        uint256 rate,
        uint256 remuneration,
        uint256 activateTime,
        uint256 end,
        uint256 down,
        uint256 total,
        uint256 asOf
    ) external pure {
        require(
            rate > 0 && rate < MAX_RATE && remuneration < AMOUNTS && activateTime < TIMES && end < TIMES && down < TIMES && total < TIMES
                && asOf < TIMES
        );
        uint256 after_ = Accrual.downtime(rate, remuneration, activateTime, end, down, total, asOf);
        assert(after_ >= down);
        assert(after_ == down || after_ <= total);
        uint256 until = asOf < end ? asOf : end;
        assert(after_ == down || activateTime + after_ + Accrual.paidSeconds(rate, remuneration) <= until);
    }

    function aProductGrows(uint256 a, uint256 b, uint256 c) external pure {
        require(a < MAX_RATE && b <= c && c < TIMES);
        assert(a * b <= a * c);
    }

    function whatIsSettledCountsAsPaidSeconds(uint256 rate, uint256 remuneration, uint256 served) external pure {
        require(rate >= GWEI && rate < MAX_RATE && remuneration < AMOUNTS && served < TIMES);
        require(Accrual.accrued(rate, served) <= remuneration);
        uint256 paid = Accrual.paidSeconds(rate, remuneration);
        if (paid < served) require(rate * (paid + 1) <= rate * served); // aProductGrows
        assert(paid >= served);
    }

    function aReportReachesAtMostTheWindow(
        uint256 rate,
        uint256 remuneration,
        uint256 activateTime,
        uint256 duration,
        uint256 down,
        uint256 total,
        uint256 now_,
        uint256 holdback
    ) external pure {
        require(rate >= GWEI && rate < MAX_RATE && remuneration < AMOUNTS && activateTime < TIMES && duration < TIMES && down < TIMES);
        require(total < TIMES && now_ < TIMES && holdback <= 255 hours && now_ >= activateTime);
        uint256 end = activateTime + duration;
        uint256 edge = Accrual.edge(now_, holdback, activateTime, end);
        require(activateTime + down + Accrual.paidSeconds(rate, remuneration) >= edge); // whatIsSettledCountsAsPaidSeconds
        uint256 after_ = Accrual.downtime(rate, remuneration, activateTime, end, down, total, now_);
        assert(after_ - down <= holdback);
    }
}

contract AllowanceProof {
    function whatIsPaidOnceMoreIsBeyondTheAllowance(uint256 before, uint256 down, uint256 announced, uint256 time, uint256 penalty)
        external
        pure
    {
        require(before <= penalty && penalty <= 255 hours && down < TIMES && announced < TIMES && time < TIMES);
        uint256 twice = Accrual.twice(before, down, announced, time, penalty);
        assert(twice >= before);
        assert(twice <= penalty);
        assert(twice == before || twice + announced + time / 200 <= down);
        assert(twice == penalty || twice + announced + time / 200 >= down);
    }

    function noMomentBringsAnAllowance(uint256 before, uint256 down, uint256 announced, uint256 time, uint256 more, uint256 penalty)
        external
        pure
    {
        require(before <= penalty && penalty <= 255 hours && down < TIMES && announced < TIMES && time < TIMES && more < TIMES);
        uint256 now_ = Accrual.twice(before, down, announced, time, penalty);
        uint256 later = Accrual.twice(before, down, announced, time + more, penalty);
        assert(later <= now_);
        assert(now_ - later <= more / 200 + 1);
    }

    function aDropIsExcusedByHalfAWeekOfEachMonth(uint256 time) external pure {
        require(time < TIMES);
        uint256 excused = Accrual.excused(time);
        assert(excused >= 84 hours);
        assert(excused == 84 hours || excused <= time * 7 / 60);
        assert(time < 30 days || excused * 60 + 60 > time * 7);
    }
}
