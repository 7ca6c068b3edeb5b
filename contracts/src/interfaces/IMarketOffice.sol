// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title MarketOffice
/// @notice The functions of a Market besides selling, settling and closing orders. The code is in a contract of its own that runs on the
/// Market's storage: call the Market.
/// @dev Events and errors are those of IMarket.
interface IMarketOffice {
    /// @notice The contract that implements IMarketLens for this Market.
    function lens() external view returns (address);

    /// @notice Ends the probation. User only. Reverts OrderNotFound, NotUser, WrongStatus, NotInProbation.
    function userConfirm(uint64 id) external;

    /// @notice Names the application running on the node. User or operator (or the provider), before the end. Reverts OrderNotFound,
    /// WrongStatus, OrderEnded, NotOperator, AppTooLong.
    function setApp(uint64 id, string calldata app) external;

    /// @notice Pays the caller everything it earned. Reverts NothingToWithdraw.
    function proWithdraw() external returns (uint256 amount);

    /// @notice Pays everything the caller earned to `to`. Reverts ZeroAddress, NothingToWithdraw.
    function proWithdrawTo(address to) external returns (uint256 amount);

    /// @notice Pays the caller a reward out of the separate pool. `sig` is abi.encode(uint256 deadline, bytes signature) with the
    /// validator's signature over the EIP-712 `Withdraw(address account,uint256 amount,uint256 nonce,uint256 deadline)`, nonce =
    /// nonces(account). Never touches escrow, earnings or pledges.
    /// @dev Reverts ZeroAmount, VoucherExpired, BadSignature, DayCapExceeded, RewardsTooLow.
    function withdraw(uint256 amount, bytes calldata sig) external;

    /// @notice Adds `amount` of the caller's Credit to the reward pool. Anyone. Reverts ZeroAmount.
    function fundRewards(uint256 amount) external;

    /// @notice Pays out all commission: `interestShare` of it to the Pledge's interest pool, `monitorShare` to the validator, the rest to
    /// the treasury. Treasury only. Reverts NotTreasury, NothingToWithdraw.
    function takeCommission() external returns (uint256 amount);

    /// @notice Commission on new orders in 1/10,000, at most 1,000. Owner of Access only, like all setters. Reverts NotOwner, ParamOutOfBounds.
    function setCommissionBps(uint16 value) external;
    /// @notice Probation of new orders in seconds, at most 24 h. Reverts NotOwner, ParamOutOfBounds.
    function setProbation(uint32 value) external;
    /// @notice Holdback of new orders in seconds: whole hours, at most the penalty. Reverts NotOwner, ParamOutOfBounds.
    function setHoldback(uint32 value) external;
    /// @notice Cancel penalty of new orders in seconds of their price: whole hours, at least the holdback, at most 168 h. Reverts NotOwner, ParamOutOfBounds.
    function setPenalty(uint32 value) external;
    /// @notice The share of the commission, in 1/10,000 and at most 5,000, that takeCommission adds to the interest pool. Reverts NotOwner,
    /// ParamOutOfBounds.
    function setInterestShare(uint16 value) external;
    /// @notice The share of the commission, in 1/10,000 and at most 5,000, that takeCommission sends to the validator, which pays monitors
    /// from it. Reverts NotOwner, ParamOutOfBounds.
    function setMonitorShare(uint16 value) external;
    /// @notice The most that vouchers may pay in any 24 h, in wei, at most 2^48 millionths of a USD. Reverts NotOwner, ParamOutOfBounds.
    function setRewardDayCap(uint256 value) external;
}
