// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IERC5267 } from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import { Test } from "forge-std/Test.sol";
import { Access } from "../src/Access.sol";
import { Credit } from "../src/Credit.sol";
import { Gate } from "../src/Gate.sol";
import { IMarketWithLens } from "../src/interfaces/IMarketLens.sol";
import { Pledge } from "../src/Pledge.sol";
import { Registry } from "../src/Registry.sol";
import { TestUsdt } from "../src/development/TestUsdt.sol";
import { IMarket } from "../src/interfaces/IMarket.sol";
import { IRegistry } from "../src/interfaces/IRegistry.sol";
import { DEVELOPMENT_CHAIN, MONTH, PENDING_PERIOD } from "../src/types/Constants.sol";
import { MarketState } from "../src/market/MarketState.sol";
import { Set } from "../src/types/Set.sol";
import { NewMarket } from "./fixtures/NewMarket.sol";

/// @notice The deployed market, with one provider and one buyer.
abstract contract Base is Test {
    uint256 internal constant USD = 1e18;
    uint40 internal constant GENESIS = 1_795_219_200;

    address internal owner = makeAddr("owner");
    address internal guardian = makeAddr("guardian");
    address internal treasury = makeAddr("treasury");
    address internal provider = makeAddr("provider");
    address internal operator = makeAddr("operator");
    address internal stranger = makeAddr("stranger");
    address internal user;
    uint256 internal userKey;
    address internal validator;
    uint256 internal validatorKey;

    Access internal access;
    TestUsdt internal usdt;
    Credit internal credit;
    Gate internal gate;
    Registry internal registry;
    Pledge internal pledge;
    IMarketWithLens internal market;

    function setUp() public virtual {
        vm.warp(GENESIS);
        vm.chainId(DEVELOPMENT_CHAIN);
        (user, userKey) = makeAddrAndKey("user");
        (validator, validatorKey) = makeAddrAndKey("validator");
        access = new Access(owner, guardian, validator, treasury);
        usdt = new TestUsdt(owner);
        credit = new Credit(owner, vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1));
        gate = new Gate(address(credit), address(usdt));
        deployModules(1);
        fund(user, 1_000_000 * USD);
        fund(provider, 1_000_000 * USD);
        fund(stranger, 1_000_000 * USD);
    }

    function initialParams() internal pure virtual returns (IMarket.Params memory) {
        return IMarket.Params({
            commissionBps: 0,
            probation: 10 minutes,
            holdback: 24 hours,
            penalty: 24 hours,
            rewardDayCap: 1000 * USD,
            interestShare: 0,
            monitorShare: 0
        });
    }

    /// @notice Deploys Registry, Pledge and Market and publishes them as the next version.
    function deployModules(uint32 firstOrderId) internal {
        address futurePledge = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        registry = new Registry(address(access), futurePledge);
        pledge = new Pledge(owner, address(access), address(registry), address(credit), 0);
        market = newMarket(firstOrderId);
        vm.prank(owner);
        access.publish(currentSet());
    }

    function newMarket(uint32 firstOrderId) internal returns (IMarketWithLens) {
        return NewMarket.deploy(
            MarketState.Modules(address(access), address(registry), address(pledge), address(credit), firstOrderId), initialParams()
        );
    }

    function currentSet() internal view returns (Set memory) {
        return Set({ registry: address(registry), pledge: address(pledge), market: address(market), credit: address(credit) });
    }

    function fund(address account, uint256 amount) internal {
        vm.prank(owner);
        credit.mint(account, amount);
    }

    function providerInput() internal pure returns (IRegistry.ProviderInput memory) {
        return IRegistry.ProviderInput({ name: "rack-one", ip: "127.0.0.1", domain: "rack.example", port: 7070 });
    }

    /// @notice 2 CPUs at 43, 2 GPUs at 133, 128 GB at 0.5, 2,000 GB at 0.002: 420 USD per MONTH.
    function nodeInput() internal pure returns (IRegistry.NodeInput memory) {
        return IRegistry.NodeInput({
            cpuModel: "Xeon Silver 4316",
            gpuModel: "RTX 4090",
            nCPU: 2,
            core: 20,
            nGPU: 2,
            nMEM: 128,
            nDISK: 2000,
            pCPU: 43 * USD,
            pGPU: 133 * USD,
            pMEM: 0.5e18,
            pDISK: 0.002e18
        });
    }

    function registerProvider(address cp) internal {
        IRegistry.ProviderInput memory input = providerInput();
        // Each provider needs a name of its own.
        if (cp != provider) input.name = vm.toString(uint256(uint160(cp)));
        vm.prank(cp);
        registry.register(input);
    }

    function addNode(address cp) internal returns (uint64 id) {
        vm.prank(cp);
        id = registry.add_node(nodeInput());
    }

    function pledgeFor(address account, uint256 amount) internal {
        vm.startPrank(account);
        credit.approve(address(pledge), amount);
        pledge.pledge(address(credit), amount);
        vm.stopPrank();
    }

    /// @notice Locks `amount` of the pledge like a purchase.
    function lockFor(address account, uint64 orderId, uint256 amount) internal {
        vm.prank(address(market));
        pledge.lock(account, orderId, amount);
    }

    /// @notice Unlocks it like a close that owes the buyer nothing.
    function unlockFor(address account, uint64 orderId, uint256 amount) internal {
        vm.prank(address(market));
        pledge.unlock(account, orderId, amount, user, 0);
    }

    /// @notice A provider with one node and 1,000 USD pledged.
    function openShop() internal returns (uint64 nodeId) {
        registerProvider(provider);
        nodeId = addNode(provider);
        pledgeFor(provider, 1000 * USD);
    }

    /// @notice A purchase under the conditions with which the market was deployed.
    function orderInput(uint64 nodeId, uint32 duration) internal view returns (IMarket.OrderInput memory) {
        return IMarket.OrderInput({
            provider: provider,
            nodeId: nodeId,
            rev: 1,
            duration: duration,
            maxFee: type(uint256).max,
            conditions: agreed(initialParams()),
            app: "nginx"
        });
    }

    /// @notice The conditions to which a purchase agrees.
    function agreed(IMarket.Params memory params) internal pure returns (IMarket.Conditions memory) {
        return IMarket.Conditions({
            probation: params.probation, holdback: params.holdback, penalty: params.penalty, commissionBps: params.commissionBps
        });
    }

    function buy(uint64 nodeId, uint32 duration) internal returns (uint64 id) {
        return buy(orderInput(nodeId, duration));
    }

    function buy(IMarket.OrderInput memory input) internal returns (uint64 id) {
        uint256 fee;
        (fee,, input.conditions) = market.quoteOrder(input.provider, input.nodeId, input.duration);
        vm.startPrank(user);
        credit.approve(address(market), fee);
        id = market.createOrder(input);
        vm.stopPrank();
    }

    function activate(uint64 id) internal {
        vm.prank(provider);
        market.activate(id);
    }

    /// @notice A running order of one MONTH, activated now.
    function running() internal returns (uint64 id) {
        id = buy(openShop(), MONTH);
        activate(id);
    }

    /// @notice Cancels a running order as the user, and lets its last hours become final without a report.
    function cancelAndWait(uint64 id) internal {
        vm.prank(user);
        market.userCancel(id);
        if (market.getOrder(id).pendingUntil == 0) return;
        pass(PENDING_PERIOD);
        market.proSettle(id);
    }

    /// @notice The validator reports now that the order was down for `total` seconds of its time.
    function report(uint64 id, uint32 total) internal {
        uint40 asOf = uint40(vm.getBlockTimestamp());
        market.creditDowntime(id, total, asOf, signDowntime(id, total, asOf));
    }

    /// @notice Arbitrary bytes, at most 31.
    function shortText(bytes32 raw, uint256 length) internal pure returns (bytes memory text) {
        text = abi.encodePacked(raw);
        length = bound(length, 0, 31);
        assembly ("memory-safe") {
            mstore(text, length)
        }
    }

    function pass(uint256 time) internal {
        vm.warp(vm.getBlockTimestamp() + time);
    }

    function signDowntime(uint64 id, uint32 total, uint40 asOf) internal view returns (bytes memory) {
        bytes32 structHash = keccak256(abi.encode(keccak256("Downtime(uint64 orderId,uint32 totalSeconds,uint40 asOf)"), id, total, asOf));
        return signFor(market, validatorKey, structHash);
    }

    function signVoucher(address account, uint256 amount, uint256 nonce, uint256 deadline) internal view returns (bytes memory) {
        bytes32 typeHash = keccak256("Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)");
        return abi.encode(deadline, signFor(market, validatorKey, keccak256(abi.encode(typeHash, account, amount, nonce, deadline))));
    }

    /// @notice The user's permit of `value` for the Market.
    function signPermit(uint256 value) internal view returns (IMarket.Permit memory) {
        return signPermitFor(address(market), value);
    }

    /// @notice The user's permit of `value` for `spender`.
    function signPermitFor(address spender, uint256 value) internal view returns (IMarket.Permit memory permit) {
        permit.value = value;
        permit.deadline = type(uint256).max;
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, user, spender, value, credit.nonces(user), permit.deadline));
        (permit.v, permit.r, permit.s) = vm.sign(userKey, keccak256(abi.encodePacked("\x19\x01", credit.DOMAIN_SEPARATOR(), structHash)));
    }

    function signFor(IMarketWithLens verifier, uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        (, string memory name, string memory version, uint256 chainId, address contract_,,) = IERC5267(address(verifier)).eip712Domain();
        bytes32 domainTypeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(domainTypeHash, keccak256(bytes(name)), keccak256(bytes(version)), chainId, contract_));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
