import { count, from, listOf, object, seconds, type ValueOf, type WireOf, wei } from './shape.ts'

/** A thousand nodes over three years. */
const MAX_DAYS = 1_000_000

/** What a node earned on one day, in wei of Credit. */
const nodeDay = object({
  /** Start of the day in UTC, unix seconds. */
  day: seconds,
  nodeId: count,
  /** Before commission. */
  grossWei: from('gross', wei),
  commissionWei: from('commission', wei),
})
export type NodeDay = ValueOf<typeof nodeDay>

/** `GET /v1/cp/{address}/earnings`: a provider's earnings per day and node, the newest day last. */
export const earningsAnswer = object({ days: listOf(nodeDay, MAX_DAYS), withdrawnWei: from('withdrawn', wei), block: count })
export type EarningsHistory = ValueOf<typeof earningsAnswer>
export type EarningsAnswer = WireOf<typeof earningsAnswer>

/**
 * `GET /v1/cp/{address}/earnings`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readEarningsHistory = (json: unknown): EarningsHistory => earningsAnswer(json, 'earnings')
