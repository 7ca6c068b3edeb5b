// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../src/interfaces/IRegistry.sol";
import { Accrual } from "../../src/libraries/Accrual.sol";
import { MarketState } from "../../src/market/MarketState.sol";
import { InputRules } from "../../src/registry/InputRules.sol";
import { ALLOWED_PART, MONTH } from "../../src/types/Constants.sol";
import { OrderStatus } from "../../src/types/OrderStatus.sol";
import { Base } from "../Base.t.sol";
import { NewMarket } from "../fixtures/NewMarket.sol";
import { VectorFile } from "../fixtures/VectorFile.sol";
import { WritableMarket } from "../fixtures/WritableMarket.sol";

/// @notice The money vectors that packages/rules runs too, against the same formulas in Solidity.
contract VectorsTest is Base, VectorFile {
    function test_Price() public {
        uint256 count = load("price");
        for (uint256 i = 0; i < count; ++i) {
            uint256 rate = this.rateOf(offer(i));
            uint256 duration = number(i, "durationSeconds");
            uint256 fee = Accrual.accrued(rate, duration);
            assertEq(rate, number(i, "ratePerMonthWei"));
            assertEq(fee, number(i, "feeWei"));
            assertEq(Accrual.accrued(rate, duration + number(i, "extraSeconds")) - fee, number(i, "extensionFeeWei"));
        }
    }

    function rateOf(IRegistry.NodeInput calldata input) external pure returns (uint256) {
        return InputRules.requireNode(input);
    }

    function offer(uint256 i) private view returns (IRegistry.NodeInput memory input) {
        input.pCPU = number(i, "pCPU");
        input.pGPU = number(i, "pGPU");
        input.pMEM = number(i, "pMEM");
        input.pDISK = number(i, "pDISK");
        input.nCPU = uint16(number(i, "nCPU"));
        input.nGPU = uint16(number(i, "nGPU"));
        input.nMEM = uint32(number(i, "nMEM"));
        input.nDISK = uint32(number(i, "nDISK"));
        input.core = input.nCPU;
    }

    function test_Accrual() public {
        uint256 count = load("accrual");
        for (uint256 i = 0; i < count; ++i) {
            assertEq(Accrual.accrued(number(i, "ratePerMonthWei"), number(i, "seconds")), number(i, "accruedWei"));
        }
    }

    function test_Downtime() public {
        uint256 count = load("downtime");
        for (uint256 i = 0; i < count; ++i) {
            uint256 after_ = Accrual.downtime(
                number(i, "rate"),
                number(i, "remuneration"),
                number(i, "activateTime"),
                number(i, "activateTime") + number(i, "duration"),
                number(i, "down"),
                number(i, "totalSeconds"),
                number(i, "asOf")
            );
            assertEq(after_, number(i, "downAfter"));
        }
    }

    function test_Allowances() public {
        uint256 count = load("allowances");
        for (uint256 i = 0; i < count; ++i) {
            uint256 time = number(i, "time");
            assertEq(time / ALLOWED_PART, number(i, "allowed"));
            assertEq(Accrual.excused(time), number(i, "excused"));
            uint256 twice = Accrual.twice(number(i, "before"), number(i, "down"), number(i, "announced"), time, number(i, "penalty"));
            assertEq(twice, number(i, "twice"));
        }
    }

    function test_Refund() public {
        MarketState.Modules memory modules = MarketState.Modules(address(access), address(registry), address(pledge), address(credit), 1000);
        WritableMarket writable = new WritableMarket(modules, NewMarket.officeFor(modules));
        market = IMarketWithLens(address(writable));
        vm.prank(owner);
        access.publish(currentSet());
        uint64 id = buy(openShop(), MONTH);
        uint256 count = load("refund");
        for (uint256 i = 0; i < count; ++i) {
            uint256 snapshot = vm.snapshotState();
            writable.write(
                id,
                WritableMarket.Fields({
                    rate: number(i, "rate"),
                    remuneration: number(i, "remuneration"),
                    activateTime: number(i, "activateTime"),
                    duration: number(i, "duration"),
                    down: number(i, "down"),
                    holdback: number(i, "holdback"),
                    penalty: number(i, "penalty"),
                    probation: number(i, "probation"),
                    commissionBps: number(i, "commissionBps"),
                    status: OrderStatus(number(i, "status")),
                    userConfirm: flag(i, "userConfirm"),
                    deployed: flag(i, "deployed"),
                    reportedUntil: number(i, "reportedUntil"),
                    downSince: number(i, "downSince")
                })
            );
            assertEq(market.getOrder(id).totalValue, number(i, "totalValue"));
            vm.warp(number(i, "now"));

            assertEq(
                Accrual.edge(
                    number(i, "now"), number(i, "holdback"), number(i, "activateTime"), number(i, "activateTime") + number(i, "duration")
                ),
                number(i, "edge")
            );
            requireQuote(i, id, false, "userCancel");
            if (vm.keyExistsJson(json, path(i, "providerCancel.toUser"))) {
                requireQuote(i, id, true, "providerCancel");
            } else {
                vm.expectPartialRevert(IMarket.OrderEnded.selector);
                market.quoteCancel(id, true);
            }
            vm.revertToState(snapshot);
        }
    }

    function requireQuote(uint256 i, uint64 id, bool byProvider, string memory field) internal view {
        (uint256 toUser, uint256 toProvider, uint256 commission, uint256 compensation, uint256 pending) = market.quoteCancel(id, byProvider);
        assertEq(toUser, number(i, string.concat(field, ".toUser")), field);
        assertEq(toProvider, number(i, string.concat(field, ".toProvider")), field);
        assertEq(commission, number(i, string.concat(field, ".commission")), field);
        assertEq(compensation, number(i, string.concat(field, ".compensation")), field);
        assertEq(pending, number(i, string.concat(field, ".pending")), field);
    }
}
