// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Access } from "../../src/Access.sol";
import { Market } from "../../src/Market.sol";
import { MarketLens } from "../../src/MarketLens.sol";
import { MarketOffice } from "../../src/MarketOffice.sol";
import { Pledge } from "../../src/Pledge.sol";
import { Registry } from "../../src/Registry.sol";
import { IAccess } from "../../src/interfaces/IAccess.sol";
import { MarketState } from "../../src/market/MarketState.sol";
import { Set } from "../../src/types/Set.sol";
import { Base } from "../Base.t.sol";
import { NewMarket } from "../fixtures/NewMarket.sol";

/// @notice A version is not published unless all of its contracts reference each other.
contract WiringTest is Base {
    address private immutable _other = makeAddr("other");

    function test_AMarketThatNamesAnotherContractIsNotPublished() public {
        address[4] memory named = [address(access), address(registry), address(pledge), address(credit)];
        for (uint256 i = 0; i < 4; ++i) {
            address right = named[i];
            named[i] = _other;
            Set memory set = currentSet();
            set.market = address(NewMarket.deploy(MarketState.Modules(named[0], named[1], named[2], named[3], 1000), initialParams()));
            refuse(set, set.market, _other, right);
            named[i] = right;
        }
    }

    function test_AMarketWhoseOfficeOrLensNamesAnotherContractIsNotPublished() public {
        for (uint256 i = 0; i < 4; ++i) {
            MarketState.Modules memory wrong = modules();
            address right;
            if (i == 0) (right, wrong.access) = (wrong.access, _other);
            else if (i == 1) (right, wrong.registry) = (wrong.registry, _other);
            else if (i == 2) (right, wrong.pledge) = (wrong.pledge, _other);
            else (right, wrong.credit) = (wrong.credit, _other);

            address office = NewMarket.officeFor(wrong);
            refuseOffice(office, office, right);
            address lens = address(new MarketLens(wrong));
            office = address(new MarketOffice(modules(), lens));
            refuseOffice(office, lens, right);
        }
    }

    function test_APledgeThatNamesAnotherContractIsNotPublished() public {
        for (uint256 i = 0; i < 3; ++i) {
            Set memory set = currentSet();
            address future = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
            set.registry = address(new Registry(address(access), future));
            address[3] memory named = [address(access), set.registry, address(credit)];
            address right = named[i];
            named[i] = _other;
            set.pledge = address(new Pledge(owner, named[0], named[1], named[2], 0));
            refuse(set, set.pledge, _other, right);
        }
    }

    function test_ARegistryThatNamesAnotherContractIsNotPublished() public {
        Access foreign = new Access(owner, guardian, validator, treasury);
        Set memory set = currentSet();
        set.registry = address(new Registry(address(foreign), address(pledge)));
        refuse(set, set.registry, address(foreign), address(access));
        set.registry = address(new Registry(address(access), _other));
        refuse(set, set.registry, _other, address(pledge));
    }

    function refuse(Set memory set, address module, address found, address expected) private {
        vm.expectRevert(abi.encodeWithSelector(IAccess.NotWired.selector, module, found, expected));
        vm.prank(owner);
        access.publish(set);
    }

    function refuseOffice(address office, address module, address right) private {
        Set memory set = currentSet();
        set.market = address(new Market(modules(), office, initialParams()));
        refuse(set, module, _other, right);
    }

    function modules() private view returns (MarketState.Modules memory) {
        return MarketState.Modules(address(access), address(registry), address(pledge), address(credit), 1000);
    }
}
