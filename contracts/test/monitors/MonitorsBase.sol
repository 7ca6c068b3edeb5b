// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { Findings } from "../../src/Findings.sol";
import { Monitors } from "../../src/Monitors.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { IFindings } from "../../src/interfaces/IFindings.sol";
import { IMonitors } from "../../src/interfaces/IMonitors.sol";
import { Epochs } from "../../src/libraries/Epochs.sol";
import { Base } from "../Base.t.sol";

/// @notice A market whose validator counts the reports of Monitors, with five monitors, a running order and the period after it began.
abstract contract MonitorsBase is Base {
    uint256 internal constant EPOCH = 5 minutes;
    uint256 internal constant PERIOD = 8 hours;
    bytes32 internal constant SALT = "salt";
    bytes32 internal constant BEACON = "beacon";
    bytes32 internal constant DEPLOYMENT = "deployment";
    uint96 internal constant ALL = type(uint96).max;

    Monitors internal monitors;
    Findings internal findings;
    address[] internal accounts;
    mapping(address account => uint256) internal keys;
    uint64 internal nodeId;
    uint64 internal orderId;
    /// @dev The first period that lies completely within the order.
    uint64 internal period;

    function setUp() public virtual override {
        super.setUp();
        monitors = new Monitors(access, address(credit), EPOCH, PERIOD / EPOCH);
        findings = new Findings(monitors, validator, IFindings(address(0)));
        ask(address(findings));
        for (uint256 i = 0; i < 5; ++i) {
            joinAs(string.concat("monitor", vm.toString(i)));
        }
        nodeId = openShop();
        vm.prank(provider);
        registry.setOperator(operator);
        orderId = buy(nodeId, 30 days);
        activate(orderId);
        // forge-lint: disable-next-line(unsafe-typecast)
        period = uint64(block.timestamp / PERIOD) + 1;
        drawFor(period);
    }

    function joinAs(string memory name) internal returns (address account) {
        account = makeAddr(name);
        (address signer, uint256 key) = makeAddrAndKey(string.concat("key of ", name));
        keys[account] = key;
        accounts.push(account);
        fund(account, monitors.MIN_BOND());
        vm.startPrank(account);
        credit.approve(address(monitors), type(uint256).max);
        monitors.join(monitors.MIN_BOND(), signer);
        vm.stopPrank();
    }

    /// @notice The monitors of a period are drawn, as if one had committed to a report two periods before.
    function drawFor(uint64 one) internal {
        uint256 time = block.timestamp;
        vm.warp(endOf(one - 2));
        commitAs(accounts[0], one - 2, "before");
        vm.roll(block.number + 5);
        monitors.draw(one);
        vm.warp(time);
    }

    /// @notice The Market asks another validator from now on, which goes on where the one before it ended.
    function replaceFindings() internal {
        findings = new Findings(monitors, validator, findings);
        ask(address(findings));
    }

    function ask(address next) internal {
        vm.prank(owner);
        access.setRole(IAccess.Role.Validator, next);
    }

    function endOf(uint64 one) internal pure returns (uint256) {
        return (uint256(one) + 1) * PERIOD;
    }

    function leafOf(uint64 id, uint64 one, IMonitors.Report memory seen) internal view returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(address(market), id, one, seen.observed, seen.down))));
    }

    /// @notice The root over the leaf of an order and these siblings of the nodes above it.
    function rootOf(uint64 id, bytes32 leaf, bytes32[] memory siblings) internal view returns (bytes32 root) {
        uint256 place = uint256(keccak256(abi.encode(address(market), id)));
        root = leaf;
        for (uint256 i = 0; i < siblings.length; ++i) {
            bool isRight = (place >> (256 - siblings.length + i)) & 1 == 1;
            root = isRight ? keccak256(bytes.concat(siblings[i], root)) : keccak256(bytes.concat(root, siblings[i]));
        }
    }

    function commitAs(address account, uint64 one, bytes32 root) internal {
        vm.prank(account);
        monitors.commit(one, keccak256(abi.encode(account, one, root, SALT)));
    }

    function revealAs(address account, uint64 one, bytes32 root) internal {
        vm.prank(account);
        monitors.reveal(one, root, SALT);
    }

    /// @notice The first `count` monitors commit to a root and reveal it; the clock is left in the hour of reveals.
    function revealAll(uint64 one, uint256 count, bytes32 root) internal {
        vm.warp(endOf(one));
        for (uint256 i = 0; i < count; ++i) {
            commitAs(accounts[i], one, root);
        }
        vm.warp(endOf(one) + 1 hours);
        for (uint256 i = 0; i < count; ++i) {
            revealAs(accounts[i], one, root);
        }
    }

    /// @notice Monitor i reports `downs[i]` for `period`; the clock moves on to when votes can be submitted.
    function report(uint96[] memory downs) internal returns (IMonitors.Vote[] memory) {
        return report(downs, ALL);
    }

    function report(uint96[] memory downs, uint96 observed) internal returns (IMonitors.Vote[] memory) {
        uint96[] memory all = new uint96[](downs.length);
        for (uint256 i = 0; i < downs.length; ++i) {
            all[i] = observed;
        }
        return report(downs, all);
    }

    function report(uint96[] memory downs, uint96[] memory observed) internal returns (IMonitors.Vote[] memory votes) {
        bytes32[] memory siblings = new bytes32[](1);
        siblings[0] = keccak256("another order");
        if (monitors.beaconOf(period) == 0) drawFor(period);
        votes = new IMonitors.Vote[](downs.length);
        bytes32[] memory roots = new bytes32[](downs.length);
        vm.warp(endOf(period));
        for (uint256 i = 0; i < downs.length; ++i) {
            IMonitors.Report memory seen = IMonitors.Report({ observed: observed[i], down: downs[i] });
            roots[i] = rootOf(orderId, leafOf(orderId, period, seen), siblings);
            commitAs(accounts[i], period, roots[i]);
            votes[i] = IMonitors.Vote({ monitor: accounts[i], report: seen, proof: siblings });
        }
        vm.warp(endOf(period) + 1 hours);
        for (uint256 i = 0; i < downs.length; ++i) {
            revealAs(accounts[i], period, roots[i]);
        }
        vm.warp(endOf(period) + 2 hours);
        sort(votes);
    }

    function three(uint96 first, uint96 second, uint96 third) internal pure returns (uint96[] memory downs) {
        downs = new uint96[](3);
        (downs[0], downs[1], downs[2]) = (first, second, third);
    }

    function sort(IMonitors.Vote[] memory votes) internal pure {
        for (uint256 i = 1; i < votes.length; ++i) {
            for (uint256 j = i; j > 0 && votes[j].monitor < votes[j - 1].monitor; --j) {
                (votes[j], votes[j - 1]) = (votes[j - 1], votes[j]);
            }
        }
    }

    function voteOf(IMonitors.Vote[] memory votes, address account) internal pure returns (IMonitors.Vote memory vote) {
        for (uint256 i = 0; i < votes.length; ++i) {
            if (votes[i].monitor == account) return votes[i];
        }
    }

    function submit(IMonitors.Vote[] memory votes) internal {
        findings.submit(address(market), orderId, period, votes);
    }

    /// @notice The monitor's acknowledgement that the agent answered in that epoch of `period`.
    function acknowledge(address account, uint64 id, uint256 epoch) internal view returns (bytes memory) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Acknowledgement(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch)"),
                address(market),
                id,
                provider,
                nodeId,
                uint256(period) * 96 + epoch
            )
        );
        return signAs(keys[account], structHash);
    }

    /// @notice A signature in the EIP-712 domain of Monitors.
    function signAs(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Rackfair Monitors"),
                keccak256("1"),
                block.chainid,
                address(monitors)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function signDeployment(uint256 key, bytes32 image) internal view returns (IFindings.Deployment memory one) {
        one = IFindings.Deployment({ deployment: DEPLOYMENT, spec: "spec", image: image, signature: "" });
        one.signature = signAs(
            key,
            keccak256(
                abi.encode(
                    keccak256("Deployment(address market,uint64 orderId,bytes32 deployment,bytes32 spec,bytes32 image)"),
                    address(market),
                    orderId,
                    one.deployment,
                    one.spec,
                    one.image
                )
            )
        );
    }

    function attest(uint256 key, uint8 epoch, bytes32 image) internal view returns (IFindings.Attested memory one) {
        one = IFindings.Attested({ epoch: epoch, beacon: BEACON, healthy: true, image: image, monitor: accounts[0], signature: "" });
        one.signature = signAs(key, attestationTo(one.monitor, uint256(period) * 96 + epoch, true, image));
    }

    /// @notice What an operator signs for a monitor about the order in an epoch, counted from Unix time 0.
    function attestationTo(address monitor, uint256 epoch, bool healthy, bytes32 image) internal view returns (bytes32) {
        bytes memory head = abi.encode(
            keccak256(
                "Attestation(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch,bytes32 beacon,bool healthy,bytes32 deployment,bytes32 image,address monitor)"
            ),
            address(market),
            orderId,
            provider,
            nodeId
        );
        return keccak256(bytes.concat(head, abi.encode(epoch, BEACON, healthy, DEPLOYMENT, image, monitor)));
    }

    /// @notice The epoch of a period that is drawn for sample `index` of a monitor.
    function drawnEpoch(address account, uint64 one, IMonitors.Report memory seen, uint256 index) internal view returns (uint256) {
        bytes32 target = keccak256(abi.encode("sample", monitors.beaconOf(one + 3), account, index));
        return uint256(one) * 96 + Epochs.pick(seen.observed & ~seen.down, uint256(keccak256(abi.encode(target))));
    }

    /// @notice The only report of a tree, with what the operator signed for the monitor.
    function sampleOf(address account, uint64 one, IMonitors.Report memory seen) internal returns (IMonitors.Sample memory sample) {
        (, uint256 key) = makeAddrAndKey("operator");
        sample = IMonitors.Sample({
            market: address(market),
            orderId: orderId,
            vote: IMonitors.Vote({ monitor: account, report: seen, proof: new bytes32[](0) }),
            beacon: BEACON,
            deployment: DEPLOYMENT,
            image: "image",
            signature: ""
        });
        if (seen.observed & ~seen.down == 0) return sample;
        sample.signature = signAs(key, attestationTo(account, drawnEpoch(account, one, seen, 0), true, "image"));
    }

    function earnAs(address account, uint64 one, IMonitors.Sample memory sample) internal {
        IMonitors.Sample[] memory samples = new IMonitors.Sample[](1);
        samples[0] = sample;
        vm.prank(account);
        monitors.earn(one, samples);
    }

    /// @notice The first `count` monitors report that they saw the order up throughout, and the beacon of three periods later is there.
    function observeAll(uint64 one, uint256 count) internal {
        revealAll(one, count, leafOf(orderId, one, IMonitors.Report({ observed: ALL, down: 0 })));
        drawFor(one + 3);
    }

    /// @notice And they earn their pay.
    function earnAll(uint64 one, uint256 count) internal {
        observeAll(one, count);
        for (uint256 i = 0; i < count; ++i) {
            earnAs(accounts[i], one, sampleOf(accounts[i], one, IMonitors.Report({ observed: ALL, down: 0 })));
        }
    }

    /// @notice The operator promised one image, but attested another in these epochs of `period`.
    function proveWrongImage(uint96 epochs) internal {
        (, uint256 key) = makeAddrAndKey("operator");
        IFindings.Attested[] memory attested = new IFindings.Attested[](LibBit.popCount(epochs));
        uint256 count;
        for (uint8 epoch = 0; epoch < 96; ++epoch) {
            if ((epochs >> epoch) & 1 == 1) attested[count++] = attest(key, epoch, "other");
        }
        vm.prank(user);
        findings.proveWrongImage(address(market), orderId, period, signDeployment(key, "image"), attested);
    }
}
