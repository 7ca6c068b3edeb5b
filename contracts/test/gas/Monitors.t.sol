// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IMonitors } from "../../src/interfaces/IMonitors.sol";
import { MonitorsBase } from "../monitors/MonitorsBase.sol";

/// @notice Like GasTest, with five monitors and proofs of ten hashes, as for a thousand orders.
contract MonitorsGasTest is MonitorsBase {
    function test_Joining() public {
        fund(stranger, 2000 * USD);
        vm.startPrank(stranger);
        credit.approve(address(monitors), 1000 * USD);
        monitors.join(1000 * USD, stranger);
        snap("join");
        monitors.nameKey(operator);
        snap("nameKey");
        monitors.announce("https://monitor.example");
        snap("announce");
        monitors.resign();
        snap("resign");
        pass(14 days);
        monitors.takeBond();
        snap("takeBond");
    }

    function test_TakingAPlace() public {
        for (uint256 i = 5; i < monitors.MAX_MONITORS(); ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        fund(stranger, 1100 * USD);
        vm.startPrank(stranger);
        credit.approve(address(monitors), 1100 * USD);
        monitors.join(1100 * USD, stranger);
        snap("join, in the place of another");
    }

    function test_Earning() public {
        fund(address(monitors), 900 * USD);
        bytes32[] memory proof = new bytes32[](10);
        IMonitors.Report memory seen = IMonitors.Report({ observed: ALL, down: 6 });
        // Those above it are empty: this report is drawn, whatever the target is.
        revealAll(period, 2, rootOf(orderId, leafOf(orderId, period, seen), proof));
        drawFor(period + 3);
        for (uint256 i = 0; i < 2; ++i) {
            IMonitors.Sample memory sample = sampleOf(accounts[i], period, seen);
            sample.vote.proof = proof;
            earnAs(accounts[i], period, sample);
            snap(i == 0 ? "earn, first of a period" : "earn, later");
        }
        vm.prank(accounts[1]);
        monitors.takePay();
        snap("takePay");
    }

    function test_Funding() public {
        fund(address(findings), 7 * USD);
        findings.fund();
        snapFinding("fund");
    }

    function test_Maintenance() public {
        uint64[] memory nodes = new uint64[](1);
        nodes[0] = nodeId;
        // The first epoch of a month far enough ahead.
        uint64 first = (period / 90 + 1) * 90 * 96;
        vm.warp(uint256(first) * EPOCH - 2 days);
        vm.startPrank(provider);
        findings.announceMaintenance(nodes, first, 12);
        snapFinding("announceMaintenance, one node");
        findings.announceMaintenance(nodes, first + 20, 12);
        snapFinding("announceMaintenance, again in the month");
        findings.withdrawMaintenance(nodes, first, 12);
        snapFinding("withdrawMaintenance, one node");
        vm.stopPrank();
    }

    function test_Reporting() public {
        bytes32[] memory proof = new bytes32[](10);
        IMonitors.Report memory seen = IMonitors.Report({ observed: ALL, down: 6 });
        for (uint256 i = 0; i < proof.length; ++i) {
            proof[i] = keccak256(abi.encode("sibling", i));
        }
        bytes32 root = rootOf(orderId, leafOf(orderId, period, seen), proof);
        fund(address(monitors), 900 * USD);
        vm.warp(endOf(period));
        commitAs(accounts[0], period, root);
        snap("commit, first of a period");
        commitAs(accounts[1], period, root);
        snap("commit, later");
        vm.roll(block.number + 10);
        monitors.draw(period + 2);
        snap("draw");
        commitAs(accounts[2], period, root);
        vm.warp(endOf(period) + 1 hours);
        revealAs(accounts[0], period, root);
        snap("reveal, first of a period");
        revealAs(accounts[1], period, root);
        revealAs(accounts[2], period, root);
        snap("reveal, later");
        vm.warp(endOf(period) + 2 hours);
        IMonitors.Vote[] memory votes = new IMonitors.Vote[](3);
        for (uint256 i = 0; i < 3; ++i) {
            votes[i] = IMonitors.Vote({ monitor: accounts[i], report: seen, proof: proof });
        }
        sort(votes);
        submit(votes);
        snapFinding("submit, 3 of 5");
        uint256 state = vm.snapshotState();
        bytes memory acknowledged = acknowledge(accounts[0], orderId, 1);
        vm.prank(stranger);
        monitors.proveContradiction(address(market), orderId, period, voteOf(votes, accounts[0]), 1, acknowledged);
        snap("proveContradiction");
        vm.revertToState(state);
        proveWrongImage(1 << 8);
        snapFinding("proveWrongImage, one epoch");
        vm.revertToState(state);
        proveWrongImage(ALL);
        snapFinding("proveWrongImage, 96 epochs");
        vm.revertToState(state);
        pass(4 hours);
        state = vm.snapshotState();
        findings.finish(address(market), orderId, period);
        snapFinding("finish");
        vm.revertToState(state);
        findings.credit(address(market), orderId, period);
        snapFinding("credit");
    }

    function snap(string memory name) private {
        vm.snapshotGasLastCall("Monitors", name);
    }

    function snapFinding(string memory name) private {
        vm.snapshotGasLastCall("Findings", name);
    }
}

/// @notice The maximum number of monitors, and proofs of ten hashes.
contract ContestGasTest is MonitorsBase {
    function setUp() public override {
        super.setUp();
        for (uint256 i = 5; i < monitors.MAX_MONITORS(); ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
    }

    function test_Contesting() public {
        address[] memory drawn = monitors.assigned(provider, nodeId, period);
        uint96[] memory downs = new uint96[](accounts.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            for (uint256 j = 0; j < drawn.length; ++j) {
                if (accounts[i] == drawn[j]) downs[i] = 6;
            }
        }
        IMonitors.Vote[] memory votes = report(downs);
        IMonitors.Vote[] memory found = new IMonitors.Vote[](5);
        IMonitors.Vote[] memory against = new IMonitors.Vote[](findings.neededToContest(accounts.length));
        (uint256 f, uint256 a) = (0, 0);
        for (uint256 i = 0; i < votes.length; ++i) {
            if (votes[i].report.down != 0) found[f++] = votes[i];
            else if (a < against.length) against[a++] = votes[i];
        }
        submit(found);
        vm.snapshotGasLastCall("Findings", "submit, 5 of 64");
        findings.contest(address(market), orderId, period, against);
        vm.snapshotGasLastCall("Findings", "contest, 22 of 64");
    }

    function test_SubmittingByAll() public {
        uint96[] memory downs = new uint96[](accounts.length);
        for (uint256 i = 0; i < 33; ++i) {
            downs[i] = 6;
        }
        IMonitors.Vote[] memory all = report(downs);
        IMonitors.Vote[] memory found = new IMonitors.Vote[](33);
        uint256 count;
        for (uint256 i = 0; i < all.length; ++i) {
            if (all[i].report.down != 0) found[count++] = all[i];
        }
        submit(found);
        vm.snapshotGasLastCall("Findings", "submit, 33 of 64");
    }
}
