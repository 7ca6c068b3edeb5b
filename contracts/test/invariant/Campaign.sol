// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Base } from "../Base.t.sol";
import { Handler } from "./Handler.sol";
import { Replay } from "./Replay.sol";
import { Actors } from "./handlers/Actors.sol";

/// @notice Initial state of every run of a campaign: three funded buyers, three providers with a node and a pledge.
abstract contract Campaign is Base {
    Handler internal handler;
    Replay internal replay;

    function setUp() public override {
        vm.recordLogs();
        super.setUp();
        address[] memory users = new address[](3);
        address[] memory providers = new address[](3);
        for (uint256 i = 0; i < 3; ++i) {
            users[i] = makeAddr(string.concat("buyer", vm.toString(i)));
            providers[i] = makeAddr(string.concat("seller", vm.toString(i)));
            fund(users[i], 1e30);
            fund(providers[i], 1e30);
        }
        Actors.Cast memory cast = Actors.Cast({
            owner: owner, guardian: guardian, treasury: treasury, validatorKey: validatorKey, users: users, providers: providers
        });
        handler = new Handler(access, credit, registry, pledge, market, cast);
        replay = handler.replay();
        replay.apply_(vm.getRecordedLogs(), GENESIS);
        for (uint256 i = 0; i < 3; ++i) {
            handler.register(i << 4);
            handler.addNode((i << 4) + (777 << 48));
            handler.pledgeMore(i << 4, 2000 * USD);
        }
        targetContract(address(handler));
    }
}
