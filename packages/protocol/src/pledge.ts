import { count, from, hash, listOf, object, oneOf, seconds, type ValueOf, type WireOf, wei } from './shape.ts'

/** Each order locks and unlocks. */
const MAX_POINTS = 1_000_000
const MAX_MOVES = 10_000

/** A pledge and its interest as booked at one time, in wei of Credit. */
const pledgePoint = object({
  /** Unix seconds. */
  time: seconds,
  pledgedWei: from('pledged', wei),
  lockedWei: from('locked', wei),
  /** Interest since the first pledge, `withdrawnWei` included. */
  earnedWei: from('earned', wei),
  withdrawnWei: from('withdrawn', wei),
})
export type PledgePoint = ValueOf<typeof pledgePoint>

/**
 * What happened to a pledge. `locked` and `unlocked`: behind an order, from its purchase to its close. `compensated`: a Market took it for
 * a buyer whose order was dropped or never started. `interest`: interest was paid out.
 */
const pledgeMove = object({
  kind: oneOf('pledged', 'unpledged', 'locked', 'unlocked', 'compensated', 'interest'),
  /** Unix seconds. */
  time: seconds,
  amountWei: from('amount', wei),
  block: count,
  transactionHash: hash,
})
export type PledgeMove = ValueOf<typeof pledgeMove>

/** `GET /v1/cp/{address}/pledge`: a pledge and its interest over time, as booked on the chain. */
export const pledgeHistoryAnswer = object({
  /** Oldest first: one per change, and one per day on which interest was booked. */
  points: listOf(pledgePoint, MAX_POINTS),
  /** Newest first, at most 500. */
  moves: listOf(pledgeMove, MAX_MOVES),
  block: count,
})
export type PledgeHistory = ValueOf<typeof pledgeHistoryAnswer>
export type PledgeHistoryAnswer = WireOf<typeof pledgeHistoryAnswer>

/**
 * `GET /v1/cp/{address}/pledge`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readPledgeHistory = (json: unknown): PledgeHistory => pledgeHistoryAnswer(json, 'pledge')
