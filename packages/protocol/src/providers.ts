import { z } from 'zod'
import { nodeWire, oversoldParts, providerTakes } from './nodes.ts'
import { addressString, count, unixSeconds, weiString } from './scalars.ts'

/** One provider with its nodes. `address` and `addr` are the same value: both names are in the specification. */
export const providerWire = z.object({
  address: addressString,
  addr: addressString,
  /** As registered on the chain. */
  name: z.string(),
  /**
   * The name for display, if it differs: without invisible characters, and with the end of the address if another provider registered a
   * similar-looking name earlier.
   */
  displayName: z.string().optional(),
  ip: z.string(),
  domain: z.string(),
  port: z.number().int().min(0).max(65_535),
  operator: addressString,
  nNode: count,
  uNode: count,
  nMem: count,
  uMem: count,
  nDisk: count,
  uDisk: count,
  online: z.boolean(),
  /** When the agent was last heard from, if it is offline; null while it is online, or if it never was. */
  offlineSince: unixSeconds.nullable(),
  pledge: weiString,
  /** The part of the pledge that is locked behind live orders and cannot be taken back. */
  pledgeLocked: weiString,
  ordersCompleted: count,
  ordersRunning: count,
  /** Orders this provider cancelled while they ran. */
  ordersDropped: count,
  /** Orders this provider sold and never started. */
  ordersMissed: count,
  /** As in each of its nodes. */
  oversold: oversoldParts.optional(),
  /** As in each of its nodes. */
  sample: z.literal(true).optional(),
  /** What it takes; absent if its agent has not said. */
  takes: providerTakes.optional(),
  nodes: z.array(nodeWire),
  block: count,
})
export type ProviderWire = z.infer<typeof providerWire>
