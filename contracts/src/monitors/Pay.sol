// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { SafeERC20 } from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import { Math } from "@openzeppelin/contracts/utils/math/Math.sol";
import { Credit } from "../Credit.sol";
import { Membership } from "./Membership.sol";

/// @title Pay
/// @notice What monitors are paid: the same for each that shows the sample of its report, whatever it observed, and whatever the others do.
abstract contract Pay is Membership {
    using SafeERC20 for Credit;

    /// @dev Periods in a month of 30 days: a period pays out this fraction of the pool.
    uint256 private constant PAY_PERIODS = 90;

    mapping(address account => uint256) public earned;
    mapping(address monitor => mapping(uint64 period => bool)) public isPaid;
    /// @dev What each monitor gets for a period, fixed by the first that earns it.
    mapping(uint64 period => uint256) private _payOf;

    function takePay() external returns (uint256 amount) {
        amount = earned[msg.sender];
        if (amount == 0) revert NothingEarned(msg.sender);

        earned[msg.sender] = 0;
        _owed -= amount;
        emit PayTaken(msg.sender, amount);

        token.safeTransfer(msg.sender, amount);
    }

    function pool() public view returns (uint256) {
        return token.balanceOf(address(this)) - _owed;
    }

    /// @dev Divided by the number of all monitors: the share of a silent one stays in the pool, so nobody gains by silencing another.
    function _pay(uint64 period) internal {
        uint256 pay = _payOf[period];
        if (pay == 0) _payOf[period] = pay = pool() / (PAY_PERIODS * Math.max(1, _count()));

        isPaid[msg.sender][period] = true;
        earned[msg.sender] += pay;
        _owed += pay;
        emit PayEarned(msg.sender, period, pay);
    }

    /// @dev What a slashed monitor has not withdrawn returns to the pool.
    function _forfeit(address account) internal {
        _owed -= earned[account];
        delete earned[account];
    }
}
