import { count, fieldsOf, listOf, type Read, seconds, wei } from './fields.ts'

/** A thousand nodes over three years. */
const MAX_DAYS = 1_000_000

/** What a node earned on one day, in wei of Credit. */
export interface NodeDay {
  /** Start of the day in UTC, unix seconds. */
  day: number
  nodeId: number
  /** Before commission. */
  grossWei: bigint
  commissionWei: bigint
}

/** A provider's earnings, the newest day last. */
export interface EarningsHistory {
  days: readonly NodeDay[]
  withdrawnWei: bigint
  block: number
}

/**
 * `GET /v1/cp/{address}/earnings`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readEarningsHistory(json: unknown): EarningsHistory {
  const of = fieldsOf(json, 'earnings')
  return { days: of('days', listOf(nodeDay, MAX_DAYS)), withdrawnWei: of('withdrawn', wei), block: of('block', count) }
}

const nodeDay: Read<NodeDay> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    day: of('day', seconds),
    nodeId: of('nodeId', count),
    grossWei: of('gross', wei),
    commissionWei: of('commission', wei),
  }
}
