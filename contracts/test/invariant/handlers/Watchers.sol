// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { Places } from "./Places.sol";
import { Reporting } from "./Reporting.sol";
import { Watching } from "./Watching.sol";

/// @notice Watchers whose lies are proven, by anybody who holds what they signed.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
abstract contract Watchers is Places, Reporting {
    constructor(Cast memory cast) Watching(cast) { }

    /// @notice Anybody who holds what a monitor signed: a lie costs what it says, and what is no lie costs nothing.
    function _accuse(uint256 who, uint256 back, uint256 seed) internal {
        address account = people[who % ACTIVE];
        uint64 period = _lastPeriod() - uint64(back % 6);
        uint256 order = seed % 2;
        for (uint256 i = 0; i < ACTIVE && seed % 8 > 2 && !_hasLied(account, period, order); ++i) {
            account = people[(who % ACTIVE + i) % ACTIVE];
        }
        Told storage told = _told[account][period][order];
        uint96 lies = told.down & told.acknowledged & ~told.proven;
        uint8 epoch = uint8(lies != 0 && seed % 8 > 1 ? LibBit.ffs(lies) : seed >> 8) % uint8(EPOCHS);
        bool isSigned = (told.acknowledged >> epoch) & 1 == 1;
        // An honest monitor signed nothing for an epoch that it reports as down; what it, or another, signed elsewhere does not fit.
        bytes memory signature = isSigned
            ? _sign(_ackKey[account][period], _acknowledgement(order, uint256(period) * EPOCHS + epoch))
            : _otherSignature(account, period, order, epoch, seed >> 16);
        bool may = bondOf[account] != 0 && _revealed[account][period] && (lies >> epoch) & 1 == 1;
        bytes memory data = abi.encodeCall(
            IMonitors.proveContradiction, (_market, orderIds[order], period, _vote(account, period, order), epoch, signature)
        );
        uint256 supply = _credit.totalSupply();
        uint256 had = _credit.balanceOf(_stranger);
        if (!_calls(_stranger, may, data, "accuse")) {
            if (_revealed[account][period] && bondOf[account] != 0) ++innocent;
            return;
        }
        told.proven |= uint64(1) << epoch;
        _slashed[account][period] = true;
        uint256 fine = _fined(account);
        assertEq(_credit.balanceOf(_stranger) - had, fine / 2, "half is the prover's");
        assertEq(supply - _credit.totalSupply(), fine - fine / 2, "half is burned");
    }

    function _hasLied(address account, uint64 period, uint256 order) private view returns (bool) {
        Told storage told = _told[account][period][order];
        return _revealed[account][period] && told.down & told.acknowledged & ~told.proven != 0;
    }

    /// @dev A twentieth of the bond, each further time twice the part of the time before, until nothing is left.
    function _fined(address account) private returns (uint256 fine) {
        uint256 bond = bondOf[account];
        uint256 parts = 2 ** contradictionsOf[account]++;
        fine = parts >= 20 ? bond : bond * parts / 20;
        ++fines;
        bool wasActive = isActive(account);
        bondOf[account] = bond - fine;
        if (fine < bond) return fine;
        ++ruined;
        pool += earnedOf[account];
        earnedOf[account] = 0;
        if (wasActive) _left(account);
    }
}
