import type { Provider } from '@rackfair/rules/provider/provider'
import { nodeShape, oversoldParts, providerTakes, sample } from './nodes.ts'
import {
  address,
  count,
  countTo,
  flag,
  from,
  group,
  into,
  listOf,
  object,
  optional,
  orNull,
  seconds,
  text,
  unread,
  type WireOf,
  wei,
} from './shape.ts'

/** One provider with its nodes. `address` and `addr` are the same value: both names are in the specification. */
const fields = object({
  address,
  addr: unread(address),
  /** As registered on the chain. */
  name: text,
  /**
   * The name for display, if it differs: without invisible characters, and with the end of the address if another provider registered a
   * similar-looking name earlier.
   */
  displayName: optional(text),
  ip: text,
  domain: text,
  port: countTo(65_535),
  /** The zero address if no operator is appointed. */
  operator: into(address, (read) => (BigInt(read) === 0n ? undefined : read)),
  listed: group({ nodes: from('nNode', count), memoryGb: from('nMem', count), diskGb: from('nDisk', count) }),
  sold: group({ nodes: from('uNode', count), memoryGb: from('uMem', count), diskGb: from('uDisk', count) }),
  online: flag,
  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince: orNull(seconds),
  pledgeWei: from('pledge', wei),
  /** The part of the pledge that is locked behind live orders and cannot be taken back. */
  pledgeLockedWei: from('pledgeLocked', wei),
  ordersCompleted: count,
  ordersRunning: count,
  /** Orders this provider cancelled while they ran. */
  ordersDropped: count,
  /** Orders this provider sold and never started. */
  ordersMissed: count,
  /** As in each of its nodes. */
  oversold: optional(oversoldParts),
  /** As in each of its nodes. */
  sample,
  /** What it takes; absent if its agent has not said. */
  takes: optional(providerTakes),
  nodes: listOf(nodeShape),
  block: count,
})
export const providerShape = into(fields, (read): Provider => ({ ...read, displayName: read.displayName ?? read.name }))
export type ProviderWire = WireOf<typeof providerShape>

/** `GET /v1/cp/list/{from}/{to}` */
export const providerList = listOf(providerShape)

/**
 * A provider of `GET /v1/cp/{address}`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readProvider = (json: unknown): Provider => providerShape(json, 'provider')

/**
 * `GET /v1/cp/list/{from}/{to}`.
 * @throws AppError `answer_malformed`.
 */
export const readProviders = (json: unknown): readonly Provider[] => providerList(json, 'providers')
