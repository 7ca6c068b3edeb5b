import { count, fieldsOf, flag, hash, id, listOf, oneOf, optional, orNull, type Read, seconds } from '@rackfair/protocol/shape'
import type { NodeReliability } from '@rackfair/rules/node/node'
import { readReliability } from './node.ts'

/** One outage: the epochs without an answer, from the first to the last, and the evidence for it. */
export interface Outage {
  nodeId: number
  orderId: bigint
  /** Unix seconds; `until` is the end of the last epoch. */
  from: number
  until: number
  epochs: number
  /** Whether it lies in maintenance that was announced in time: refunded, but without weight. */
  announced: boolean
  /** `found` may still be challenged until `finalAt`. Only what is final counts and is refunded. */
  state: 'found' | 'final'
  finalAt: number
  /** Monitors whose published report of the order marks one of these epochs as down, and all that published one. */
  agreed: number
  reported: number
  /** The transaction that counted it, or that found it while it can still be challenged. */
  transactionHash: `0x${string}`
}

/** Announced maintenance of a node, in unix seconds. */
export interface PlannedMaintenance {
  nodeId: number
  from: number
  until: number
}

/** The maintenance announced in a month that is not over. `from` is the start of the month, in unix seconds. */
export interface UsedMaintenance {
  nodeId: number
  from: number
  seconds: number
  pieces: number
}

/** An order that was dropped or never started. */
export interface BrokenOrder {
  nodeId: number
  orderId: bigint
  /** Unix seconds. */
  time: number
  transactionHash: `0x${string}`
}

/** The reliability of a node or a provider, with everything it is computed from. */
export interface ReliabilityRecord {
  /** Null if nothing was ever observed and no order broken. */
  reliability: NodeReliability | null
  /** Whether monitors watch this market at all. */
  monitored: boolean
  /** Newest first. */
  outages: readonly Outage[]
  /** Announced and not over, the next first. */
  maintenance: readonly PlannedMaintenance[]
  /** Nodes without any are left out; absent if the platform does not provide it. */
  maintenanceUsed?: readonly UsedMaintenance[] | undefined
  /** Newest first. */
  brokenOrders: readonly BrokenOrder[]
  block: number
}

/**
 * `GET /v1/nodes/{provider}/{id}/reliability` and `GET /v1/cp/{address}/reliability`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readReliabilityRecord(json: unknown): ReliabilityRecord {
  const of = fieldsOf(json, 'record')
  return {
    reliability: of('reliability', orNull(readReliability)),
    monitored: of('monitored', flag),
    outages: of('outages', listOf(outage)),
    maintenance: of('maintenance', listOf(planned)),
    maintenanceUsed: of('maintenanceUsed', optional(listOf(used))),
    brokenOrders: of('brokenOrders', listOf(broken)),
    block: of('block', count),
  }
}

const outage: Read<Outage> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    nodeId: of('nodeId', count),
    orderId: of('orderId', id),
    from: of('from', seconds),
    until: of('until', seconds),
    epochs: of('epochs', count),
    announced: of('announced', flag),
    state: of('state', oneOf('found', 'final')),
    finalAt: of('finalAt', seconds),
    agreed: of('agreed', count),
    reported: of('reported', count),
    transactionHash: of('transactionHash', hash),
  }
}

const planned: Read<PlannedMaintenance> = (json, name) => {
  const of = fieldsOf(json, name)
  return { nodeId: of('nodeId', count), from: of('from', seconds), until: of('until', seconds) }
}

const used: Read<UsedMaintenance> = (json, name) => {
  const of = fieldsOf(json, name)
  return { nodeId: of('nodeId', count), from: of('from', seconds), seconds: of('seconds', seconds), pieces: of('pieces', count) }
}

const broken: Read<BrokenOrder> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    nodeId: of('nodeId', count),
    orderId: of('orderId', id),
    time: of('time', seconds),
    transactionHash: of('transactionHash', hash),
  }
}
