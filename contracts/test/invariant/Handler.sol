// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Access } from "../../src/Access.sol";
import { Credit } from "../../src/Credit.sol";
import { IMarketWithLens } from "../../src/interfaces/IMarketLens.sol";
import { Pledge } from "../../src/Pledge.sol";
import { Registry } from "../../src/Registry.sol";
import { Actors } from "./handlers/Actors.sol";
import { AnybodyHandler } from "./handlers/AnybodyHandler.sol";
import { BuyerHandler } from "./handlers/BuyerHandler.sol";
import { ProviderHandler } from "./handlers/ProviderHandler.sol";
import { SignatureHandler } from "./handlers/SignatureHandler.sol";
import { WorldHandler } from "./handlers/WorldHandler.sol";

/// @notice Three buyers, three providers, time, pauses, parameters and versions at random. Calls that should succeed must succeed, and
/// calls that should fail must fail: any other outcome ends the campaign.
contract Handler is WorldHandler, ProviderHandler, BuyerHandler, AnybodyHandler, SignatureHandler {
    constructor(Access access_, Credit credit_, Registry registry_, Pledge pledge_, IMarketWithLens market_, Cast memory cast)
        Actors(access_, credit_, registry_, pledge_, market_, cast)
    { }
}
