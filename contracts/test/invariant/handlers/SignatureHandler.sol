// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { IAccess } from "../../../src/interfaces/IAccess.sol";
import { IMarketWithLens } from "../../../src/interfaces/IMarketLens.sol";
import { IMarket } from "../../../src/interfaces/IMarket.sol";
import { IRegistry } from "../../../src/interfaces/IRegistry.sol";
import { OrderChecks } from "./OrderChecks.sol";

/// @notice Messages without a valid signature, changes of roles, permits and new descriptions of providers: none of them moves money.
abstract contract SignatureHandler is OrderChecks {
    uint256 private constant FORGER = 0xbad;

    /// @notice A report and a voucher signed by an account that is not the validator, and by the validator while another account holds the
    /// role.
    function forge(uint256 seed, uint256 seconds_) external step {
        IMarket.Order memory o = _order(seed);
        if (o.id == 0) return;
        IMarketWithLens market = _marketOf(o.id);
        address validator = vm_.addr(validatorKey);
        // two days at most
        // forge-lint: disable-next-line(unsafe-typecast)
        (uint32 claim, uint40 asOf, bytes memory signed) = _statement(market, o, seed, uint32(bound(seconds_, 0, 2 days)), 0);
        (bytes32 r, bytes32 s) = (bytes32(seed), keccak256(signed));
        _refuse(market, o.id, claim, asOf, abi.encodePacked(r, s, uint8(27)));
        _refuse(market, o.id, claim ^ 1, asOf, signed);
        vm_.prank(owner);
        access.setRole(IAccess.Role.Validator, vm_.addr(FORGER));
        _refuse(market, o.id, claim, asOf, signed);
        vm_.prank(owner);
        access.setRole(IAccess.Role.Validator, validator);
        assertEq(abi.encode(market.getOrder(o.id)), abi.encode(o), "a word that nobody signed changed an order");
    }

    function updateProvider(uint256 seed) external step {
        address cp = _provider(seed);
        IRegistry.ProviderView memory p = registry.get(cp);
        if (!p.exist) return;
        // at most 65,535
        // forge-lint: disable-next-line(unsafe-typecast)
        uint16 port = uint16(1 + seed % 65_535);
        vm_.prank(cp);
        registry.updatecp(IRegistry.ProviderInput({ name: p.name, ip: p.ip, domain: "moved.example", port: port }));
        assertEq(registry.get(cp).port, port);
    }

    /// @notice A buyer's permit for a Market works only once.
    function permit(uint256 seed) external step {
        uint256 index = seed % users.length;
        uint256 key = uint256(keccak256(abi.encodePacked("buyer", vm_.toString(index))));
        (address user, address spender) = (users[index], address(_market(seed)));
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        uint256 nonce = credit.nonces(user);
        bytes32 hash = keccak256(abi.encode(typeHash, user, spender, type(uint256).max, nonce, type(uint256).max));
        (uint8 v, bytes32 r, bytes32 s) = vm_.sign(key, keccak256(abi.encodePacked("\x19\x01", credit.DOMAIN_SEPARATOR(), hash)));
        credit.permit(user, spender, type(uint256).max, type(uint256).max, v, r, s);
        assertEq(credit.nonces(user), nonce + 1);
        try credit.permit(user, spender, type(uint256).max, type(uint256).max, v, r, s) {
            assertTrue(false, "a permit was taken twice");
        } catch {
            assertEq(credit.allowance(user, spender), type(uint256).max);
        }
    }

    function _refuse(IMarketWithLens market, uint64 id, uint32 total, uint40 asOf, bytes memory sig) private {
        try market.creditDowntime(id, total, asOf, sig) {
            assertTrue(false, "a report that nobody signed was taken");
        } catch {
            _forget();
        }
    }
}
