// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { Findings } from "../../src/Findings.sol";
import { Monitors } from "../../src/Monitors.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { IFindings } from "../../src/interfaces/IFindings.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IMonitors } from "../../src/interfaces/IMonitors.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { Base } from "../Base.t.sol";
import { Jury } from "./handlers/Jury.sol";
import { Watchers } from "./handlers/Watchers.sol";

/// @notice Twelve people who come and go, one of whom sells a machine that the others watch; `silent()` more hold places and say nothing.
abstract contract Watched is Base {
    Jury internal jury;

    function silent() internal pure virtual returns (uint256);

    function setUp() public override {
        super.setUp();
        Watchers.Cast memory cast;
        cast.monitors = new Monitors(access, address(credit), 5 minutes, 8);
        cast.findings = new Findings(cast.monitors, validator, IFindings(address(0)));
        (cast.credit, cast.owner, cast.market) = (credit, owner, address(market));
        (, cast.operatorKey) = makeAddrAndKey("operator");
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, address(cast.findings));
        cast.people = new address[](12 + silent());
        for (uint256 i = 0; i < cast.people.length; ++i) {
            cast.people[i] = makeAddr(string.concat("watcher", vm.toString(i)));
        }
        cast.providers = [provider, cast.people[9]];
        fund(cast.people[9], 1_000_000 * USD);
        for (uint256 i = 0; i < 2; ++i) {
            (cast.nodeIds[i], cast.orderIds[i]) = sell(cast.providers[i]);
        }
        jury = new Jury(cast);
        for (uint256 i = 0; i < cast.people.length; ++i) {
            if (i % 10 != 9 || silent() == 0) jury.join(i, uint256(keccak256(abi.encode("bond", i))) | 1);
        }
        jury.donate(999 ether);
        pass(1 hours);
        targetContract(address(jury));
        bytes4[] memory only = new bytes4[](1);
        only[0] = Jury.play.selector;
        targetSelector(FuzzSelector(address(jury), only));
    }

    function sell(address seller) private returns (uint64 nodeId, uint64 orderId) {
        registerProvider(seller);
        vm.prank(seller);
        registry.setOperator(operator);
        nodeId = addNode(seller);
        pledgeFor(seller, 1000 * USD);
        IMarket.OrderInput memory input = orderInput(nodeId, 60 * MONTH);
        input.provider = seller;
        orderId = buy(input);
        vm.prank(seller);
        market.activate(orderId);
    }

    function requireTheBooks() internal view {
        Monitors monitors = jury.monitors();
        uint256 owed;
        uint256 active;
        for (uint256 i = 0; i < jury.peopleCount(); ++i) {
            address who = jury.people(i);
            IMonitors.Monitor memory monitor = monitors.monitorOf(who);
            assertEq(monitor.bond, jury.bondOf(who), "only a lie costs a bond");
            assertEq(monitor.contradictions, jury.contradictionsOf(who), "only a lie is counted");
            assertEq(monitors.earned(who), jury.earnedOf(who), "what was earned");
            if (jury.isActive(who)) ++active;
            owed += monitor.bond + monitors.earned(who);
        }
        assertEq(monitors.pool(), jury.pool(), "what belongs to nobody");
        assertEq(credit.balanceOf(address(monitors)), owed + jury.pool(), "the balance is bonds, pay and pool");
        requirePlaces(monitors, active);
    }

    function requirePlaces(Monitors monitors, uint256 active) private view {
        address[] memory accounts = monitors.monitors();
        assertLe(accounts.length, 64, "there are 64 places");
        assertEq(accounts.length, active, "who is active holds a place, and nobody else");
        uint256 seen;
        for (uint256 i = 0; i < accounts.length; ++i) {
            assertTrue(jury.isActive(accounts[i]), "who holds a place is active");
            seen |= uint256(1) << jury.indexOf(accounts[i]);
        }
        assertEq(LibBit.popCount(seen), accounts.length, "one place each");
    }
}

/// @notice Holds whatever monitors do; the numbers are those of the README in this folder.
contract MonitorsInvariantsTest is Watched {
    function silent() internal pure override returns (uint256) {
        return 0;
    }

    /// @dev A violation never disappears by itself. A sequence that ends in one is long, and to look for a shorter one takes minutes.
    /// forge-config: default.invariant.shrink-run-limit = 20
    /// forge-config: deep.invariant.shrink-run-limit = 20
    function invariant_MonitorsHoldTheirPromises() public view {
        if (jury.steps() % 8 == 0) requireTheBooks();
    }

    function afterInvariant() public view {
        requireTheBooks();
        jury.requireFindings();
    }

    /// @notice No invariant protects what no run ever reaches.
    function test_ACampaignReachesEveryKindOfFindingFineAndPayment() public {
        vm.pauseGasMetering();
        for (uint256 i = 0; i < 1500; ++i) {
            jury.play(i);
            if (i % 8 == 0) requireTheBooks();
        }
        afterInvariant();
        assertGt(jury.found(), 0, "found");
        assertGt(jury.outvoted(), 0, "found against those drawn");
        assertGt(jury.contests(), 0, "contested");
        assertGt(jury.partly(), 0, "contested in part");
        assertGt(jury.finished(), 0, "counted");
        assertGt(jury.dropped(), 0, "dropped");
        assertGt(jury.recounted(), 0, "recounted without the slashed");
        assertGt(jury.fines(), 0, "fined");
        assertGt(jury.ruined(), 0, "nothing left of a bond");
        assertGt(jury.innocent(), 0, "accused of nothing");
        assertGt(jury.payments(), 0, "paid");
        assertGt(jury.redraws(), 0, "drawn twice");
    }
}

/// @notice The same, where people ask for more places than there are.
contract PlacesTest is Watched {
    function silent() internal pure override returns (uint256) {
        return 58;
    }

    /// forge-config: default.fuzz.runs = 24
    function testFuzz_ThePlacesGoToTheHighestBonds(uint256 seed) public {
        for (uint256 i = 0; i < 16; ++i) {
            jury.join(uint256(keccak256(abi.encode(seed, i))), uint256(keccak256(abi.encode("bond", seed, i))));
        }
        requireTheBooks();
        assertEq(jury.monitors().monitors().length, 64, "all places are taken");
        assertGt(jury.outbid(), 0, "nobody lost a place");
    }
}
