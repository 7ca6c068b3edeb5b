// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { PurseFactory } from "../../src/PurseFactory.sol";
import { IMarket } from "../../src/interfaces/IMarket.sol";
import { IPurse } from "../../src/interfaces/IPurse.sol";
import { MONTH } from "../../src/types/Constants.sol";
import { RIGHT_ANY_PROVIDER, RIGHT_BUY, RIGHT_DEPLOY, RIGHT_END, RIGHT_EXTEND, RIGHT_WORKSPACE } from "../../src/types/Rights.sol";
import { Base } from "../Base.t.sol";

/// @notice The purse of `user` with 10,000 USD, a provider with one node of 420 USD a MONTH, and a key that may do everything for 1,000.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
abstract contract PurseBase is Base {
    uint8 internal constant ALL = RIGHT_BUY | RIGHT_EXTEND | RIGHT_END | RIGHT_DEPLOY | RIGHT_WORKSPACE | RIGHT_ANY_PROVIDER;
    uint96 internal constant NO_LIMIT = type(uint96).max;
    uint256 internal constant RATE = 420 * USD;

    PurseFactory internal factory;
    IPurse internal purse;
    uint64 internal nodeId;
    address internal key;
    uint256 internal keyKey;

    function setUp() public virtual override {
        super.setUp();
        nodeId = openShop();
        factory = new PurseFactory(address(access), address(credit));
        purse = IPurse(factory.create(user));
        fund(address(purse), 10_000 * USD);
        (key, keyKey) = makeAddrAndKey("key");
        give(key, limits());
    }

    function limits() internal pure returns (IPurse.Limits memory) {
        return IPurse.Limits({
            total: uint96(1000 * USD),
            refill: 0,
            maxRate: NO_LIMIT,
            maxGpuHour: NO_LIMIT,
            maxTerm: 24 * 30 * 12,
            validUntil: GENESIS + 10_000 days,
            rights: ALL
        });
    }

    function give(address to, IPurse.Limits memory wanted) internal returns (uint32) {
        return give(to, wanted, new address[](0));
    }

    function give(address to, IPurse.Limits memory wanted, address[] memory providers) internal returns (uint32) {
        vm.prank(user);
        return purse.grant(to, wanted, providers);
    }

    /// @notice The key's grant, under other limits.
    function change(IPurse.Limits memory wanted, address[] memory providers) internal {
        vm.prank(user);
        purse.change(key, wanted, providers);
    }

    function change(IPurse.Limits memory wanted) internal {
        change(wanted, new address[](0));
    }

    function withRights(uint8 rights) internal pure returns (IPurse.Limits memory wanted) {
        wanted = limits();
        wanted.rights = rights;
    }

    function withTotal(uint256 total) internal pure returns (IPurse.Limits memory wanted) {
        wanted = limits();
        wanted.total = uint96(total);
    }

    function listOf(address one) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = one;
    }

    function buyFor(address by) internal returns (uint64) {
        return buyFor(by, nodeId, MONTH);
    }

    function buyFor(address by, uint64 node, uint32 duration) internal returns (uint64 id) {
        IMarket.OrderInput memory input = orderInput(node, duration);
        vm.prank(by);
        return purse.buy(input);
    }

    function buyOnceFor(address by, bytes32 purchase, uint64 node) internal returns (uint64 id) {
        IMarket.OrderInput memory input = orderInput(node, MONTH);
        vm.prank(by);
        return purse.buyOnce(purchase, input);
    }

    /// @notice A running order that `by` paid with the purse, in use.
    function runFor(address by) internal returns (uint64 id) {
        id = buyFor(by);
        vm.prank(provider);
        market.activateWithApp(id, "nginx");
    }

    function endFor(address by, uint64 id) internal {
        vm.prank(by);
        purse.end(id);
    }

    function leftOf(address account) internal view returns (uint256) {
        return purse.grantOf(account).left;
    }

    function balance() internal view returns (uint256) {
        return credit.balanceOf(address(purse));
    }

    string internal constant PERSONAL = "\x19Ethereum Signed Message:\n";

    function textHash(string memory text) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(PERSONAL, vm.toString(bytes(text).length), text));
    }

    /// @notice What a signer signs for a text: its hash nested in the domain of a purse (ERC-7739).
    function nested(address for_, bytes32 hash) internal view returns (bytes32) {
        bytes32 domainType = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(domainType, keccak256("Rackfair Purse"), keccak256("1"), block.chainid, for_));
        bytes32 content = keccak256(abi.encode(keccak256("PersonalSign(bytes prefixed)"), hash));
        return keccak256(abi.encodePacked("\x19\x01", domain, content));
    }

    function signWith(uint256 signingKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signingKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function vouches(address for_, string memory text, address signer, uint256 signingKey) internal view returns (bool) {
        bytes memory signature = signWith(signingKey, nested(for_, textHash(text)));
        return isValid(for_, textHash(text), abi.encode(signer, bytes(text), signature));
    }

    function isValid(address for_, bytes32 hash, bytes memory signature) internal view returns (bool) {
        (bool done, bytes memory answer) = for_.staticcall(abi.encodeCall(IPurse.isValidSignature, (hash, signature)));
        if (!done) return false;
        bytes4 value = abi.decode(answer, (bytes4));
        assertTrue(value == IPurse.isValidSignature.selector || value == 0xffffffff);
        return value == IPurse.isValidSignature.selector;
    }

    function deployText(uint64 id) internal view returns (string memory) {
        return string.concat("order: ", vm.toString(id), "\ndeploy: 2\ntime: 1795219200\nwallet: ", vm.toString(address(purse)));
    }

    function workspaceText(uint64 id) internal view returns (string memory) {
        string memory head = string.concat("market.example wants you to sign in with your Ethereum account:\n", vm.toString(address(purse)));
        string memory order = string.concat("- urn:rackfair:order:", vm.toString(id), "\n- urn:rackfair:provider:0x1");
        return string.concat(head, "\n\nThis browser may open the application.\n\nURI: https://market.example\nResources:\n", order);
    }

    function signInText() internal view returns (string memory) {
        string memory head = string.concat("market.example wants you to sign in with your Ethereum account:\n", vm.toString(address(purse)));
        return string.concat(head, "\n\nSign in to Rackfair. This costs nothing and moves no money.\n\nURI: https://market.example");
    }
}
