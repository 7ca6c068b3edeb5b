// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Final payments of an order, implemented a second time from the rules of docs/money.md, without sharing a line with `Accrual` or
/// the Market. Counts served seconds and multiplies once, whereas the Market adds to what it has paid.
library PaymentOracle {
    uint256 private constant DAYS_OF_A_MONTH = 30;
    uint256 private constant SECONDS_OF_A_DAY = 86_400;

    /// @notice How an order ended. No report follows the cancels that are `Silent`; the report of the last hours comes after
    /// `DroppedUnreported`.
    enum Ending {
        LeftBeforeStart,
        DroppedBeforeStart,
        StartMissed,
        LeftInProbation,
        DroppedInProbation,
        Left,
        LeftSilent,
        Dropped,
        DroppedSilent,
        DroppedUnreported,
        WentAway,
        RanOut
    }

    struct Facts {
        Ending ending;
        uint256 rate; // wei per month
        uint256 paid; // seconds that the buyer paid for
        uint256 held; // seconds from activation to the ending, or to the first second of an absence that ended it
        uint256 away; // seconds of `held` that the last report named
        uint256 commissionBps;
    }

    struct Shares {
        uint256 provider; // earnings after commission
        uint256 treasury;
        uint256 buyerOfEscrow;
        uint256 buyerOfPledge;
    }

    function shares(Facts memory f) internal pure returns (Shares memory s) {
        uint256 gross = value(f.rate, servedSeconds(f));
        s.treasury = gross / 10_000 * f.commissionBps + gross % 10_000 * f.commissionBps / 10_000;
        s.provider = gross - s.treasury;
        s.buyerOfEscrow = value(f.rate, f.paid) - gross;
        s.buyerOfPledge = value(f.rate, penaltySeconds(f));
    }

    /// @notice Whole days are worth a thirtieth of the month; the remainder and the seconds of the last day are divided together.
    function value(uint256 rate, uint256 time) internal pure returns (uint256 sum) {
        uint256 month = DAYS_OF_A_MONTH * SECONDS_OF_A_DAY;
        sum = rate / month * time;
        uint256 rest = rate % month;
        // rest < 2^22 and time < 2^32
        sum += rest * time / month;
    }

    /// @dev A report can still reduce only the last day.
    function servedSeconds(Facts memory f) private pure returns (uint256) {
        if (f.ending < Ending.LeftInProbation) return 0;
        if (f.ending == Ending.RanOut) return f.paid;
        if (f.ending < Ending.Left || f.ending == Ending.WentAway || f.ending == Ending.LeftSilent || f.ending == Ending.DroppedSilent) {
            return f.held;
        }
        uint256 window = f.held < SECONDS_OF_A_DAY ? f.held : SECONDS_OF_A_DAY;
        return f.held - (f.away < window ? f.away : window);
    }

    /// @dev Dropping costs a day in total, including what was already paid for downtime.
    function penaltySeconds(Facts memory f) private pure returns (uint256) {
        Ending ending = f.ending;
        if (ending == Ending.DroppedBeforeStart || ending == Ending.StartMissed || ending == Ending.DroppedInProbation) return 3600;
        if (ending >= Ending.Dropped && ending <= Ending.WentAway) return SECONDS_OF_A_DAY;
        if (ending != Ending.Left) return 0;
        // One second of each two hundred may be missing; anything beyond is paid once more.
        uint256 missing = f.held - servedSeconds(f);
        uint256 allowed = f.held / 200;
        return missing > allowed ? missing - allowed : 0;
    }
}
