import {
  amount,
  count,
  flag,
  hash,
  id,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  seconds,
  textOf,
  type ValueOf,
  type WireOf,
} from './shape.ts'

/**
 * The basis of a node's reliability. `failures` and `observedDays` are the arguments of `uninterruptedChance`, with the prior included;
 * `seenDays` is what was really observed, `countedDays` the part of it that counts.
 */
export const nodeReliability = object({
  failures: amount,
  observedDays: amount,
  seenDays: amount,
  countedDays: amount,
  outages: count,
  brokenOrders: count,
  /** The last 90 days as `stripOf` writes them. */
  strip: textOf(90, /^[-0-9]{90}$/),
  /** The last day of the strip, that of the newest block: days since 1970-01-01. */
  day: count,
})
export type ReliabilityWire = WireOf<typeof nodeReliability>

/** One outage: the epochs without an answer, from the first to the last, and the evidence for it. */
const outage = object({
  nodeId: count,
  orderId: id,
  /** Unix seconds; `until` is the end of the last epoch. */
  from: seconds,
  until: seconds,
  epochs: count,
  /** Whether it lies in maintenance that was announced in time: refunded, but without weight. */
  announced: flag,
  /** `found` may still be challenged until `finalAt`. Only what is final counts and is refunded. */
  state: oneOf('found', 'final'),
  finalAt: seconds,
  /** Monitors whose published report of the order marks one of these epochs as down, and all that published one. */
  agreed: count,
  reported: count,
  /** The transaction that counted it, or that found it while it can still be challenged. */
  transactionHash: hash,
})
export type Outage = ValueOf<typeof outage>
export type OutageWire = WireOf<typeof outage>

/** Announced maintenance of a node, in unix seconds. */
const plannedMaintenance = object({ nodeId: count, from: seconds, until: seconds })
export type PlannedMaintenance = ValueOf<typeof plannedMaintenance>

/** Maintenance announced for a node, past or planned, as often as it was. `from` is when it begins, in unix seconds. */
const usedMaintenance = object({ nodeId: count, from: seconds, seconds, pieces: count })
export type UsedMaintenance = ValueOf<typeof usedMaintenance>

/** An order that was dropped or never started. Unix seconds. */
const brokenOrder = object({ nodeId: count, orderId: id, time: seconds, transactionHash: hash })
export type BrokenOrder = ValueOf<typeof brokenOrder>

/** `GET /v1/nodes/{cp}/{id}/reliability` and `GET /v1/cp/{address}/reliability`: the figure with everything it is computed from. */
export const reliabilityAnswer = object({
  /** Null if nothing was ever observed and no order broken. */
  reliability: orNull(nodeReliability),
  /** Whether monitors watch this market at all. */
  monitored: flag,
  /** Newest first, of the last 400 days, at most 500. */
  outages: listOf(outage),
  /** Announced and not over, the next first, at most 1,000. */
  maintenance: listOf(plannedMaintenance),
  /** What is announced and begins later than the time of a month ago, at most 5,000; absent if the platform does not provide it. */
  maintenanceUsed: optional(listOf(usedMaintenance)),
  /** Newest first. */
  brokenOrders: listOf(brokenOrder),
  block: count,
})
export type ReliabilityRecord = ValueOf<typeof reliabilityAnswer>
export type ReliabilityAnswer = WireOf<typeof reliabilityAnswer>

/**
 * `GET /v1/nodes/{provider}/{id}/reliability` and `GET /v1/cp/{address}/reliability`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readReliabilityRecord = (json: unknown): ReliabilityRecord => reliabilityAnswer(json, 'record')
