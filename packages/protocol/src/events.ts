import { z } from 'zod'
import { deploymentNews } from './deployments.ts'
import { addressString, count, idString, unixSeconds } from './scalars.ts'
import { zodOf } from './zodOf.ts'

/**
 * Messages of `GET /v1/events` (server-sent events, `Last-Event-ID` resumes). They name what changed; the client reads it again. Query:
 * `topics` (comma separated: `block`, `node`, `order`, `provider`, `deployment`, `presence`), `user` narrows orders and deployments. After
 * a gap that cannot be resumed the first message is `reset`: read everything again.
 */
export const marketEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('block'), block: count, blockTime: unixSeconds }),
  z.object({ type: z.literal('node'), cp: addressString, nodeId: count, block: count }),
  z.object({ type: z.literal('provider'), cp: addressString, block: count }),
  z.object({ type: z.literal('order'), orderId: idString, user: addressString, provider: addressString, block: count }),
  z.object({ type: z.literal('deployment'), deployment: zodOf(deploymentNews) }),
  /** A provider's agent connected or disconnected. */
  z.object({ type: z.literal('presence'), cp: addressString, online: z.boolean() }),
  z.object({ type: z.literal('reset'), block: count }),
])
export type MarketEvent = z.infer<typeof marketEvent>
