import { count, fieldsOf, hash, listOf, oneOf, type Read, seconds, wei } from './fields.ts'

/** Each order locks and unlocks. */
const MAX_POINTS = 1_000_000
const MAX_MOVES = 10_000

/** A pledge and its interest as booked at one time, in wei of Credit. */
export interface PledgePoint {
  /** Unix seconds. */
  time: number
  pledgedWei: bigint
  lockedWei: bigint
  /** Interest since the first pledge, `withdrawnWei` included. */
  earnedWei: bigint
  withdrawnWei: bigint
}

/**
 * What happened to a pledge. `locked` and `unlocked`: behind an order, from its purchase to its close. `compensated`: a Market took it for
 * a buyer whose order was dropped or never started. `interest`: interest was paid out.
 */
export interface PledgeMove {
  kind: 'pledged' | 'unpledged' | 'locked' | 'unlocked' | 'compensated' | 'interest'
  /** Unix seconds. */
  time: number
  amountWei: bigint
  block: number
  transactionHash: `0x${string}`
}

export interface PledgeHistory {
  /** Oldest first: one per change, and one per day on which interest was booked. */
  points: readonly PledgePoint[]
  /** Newest first. */
  moves: readonly PledgeMove[]
  block: number
}

/**
 * `GET /v1/cp/{address}/pledge`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readPledgeHistory(json: unknown): PledgeHistory {
  const of = fieldsOf(json, 'pledge')
  return {
    points: of('points', listOf(point, MAX_POINTS)),
    moves: of('moves', listOf(move, MAX_MOVES)),
    block: of('block', count),
  }
}

const point: Read<PledgePoint> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    time: of('time', seconds),
    pledgedWei: of('pledged', wei),
    lockedWei: of('locked', wei),
    earnedWei: of('earned', wei),
    withdrawnWei: of('withdrawn', wei),
  }
}

const move: Read<PledgeMove> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    kind: of('kind', oneOf('pledged', 'unpledged', 'locked', 'unlocked', 'compensated', 'interest')),
    time: of('time', seconds),
    amountWei: of('amount', wei),
    block: of('block', count),
    transactionHash: of('transactionHash', hash),
  }
}
