import { z } from 'zod'
import { nodeWire } from './node.ts'
import { addressString, count, unixSeconds, weiString } from './scalars.ts'

/** One provider with its nodes. `address` and `addr` are the same value: both names are in the specification. */
export const providerWire = z.object({
  address: addressString,
  addr: addressString,
  name: z.string(),
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
  lastSeen: unixSeconds.nullable(),
  pledge: weiString,
  ordersCompleted: count,
  ordersRunning: count,
  /** Orders this provider cancelled while they ran. */
  ordersDropped: count,
  nodes: z.array(nodeWire),
  block: count,
})
export type ProviderWire = z.infer<typeof providerWire>
