import { z } from 'zod'
import { nodeWire, oversoldParts, providerTakes } from './nodes.ts'
import { addressString, count, hashString, unixSeconds, weiString } from './scalars.ts'

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

/** The result of probing a provider's registered address. Only `reachable` means that buyers can visit their applications. */
export const reachOutcome = z.enum([
  'reachable',
  /** The machine answered that nothing is listening on the port. */
  'refused',
  /** Nothing answered at all: a firewall or a router drops the packets, or the machine is off. */
  'timed_out',
  /** The network has no route to the address. */
  'no_route',
  /** Something listens, but it did not prove the operator key of this provider. */
  'not_this_agent',
  /** A private, reserved or malformed address: it cannot be reached from the internet, and was not probed. */
  'not_public',
])
export type ReachOutcome = z.infer<typeof reachOutcome>

/** `POST /v1/cp/{address}/reach`. `ip` and `port` are the registered ones; nothing else is probed. */
export const reachAnswer = z.object({ outcome: reachOutcome, ip: z.string(), port: count, tls: z.boolean(), milliseconds: count })
export type ReachAnswer = z.infer<typeof reachAnswer>

/**
 * What happened to a pledge. `locked` and `unlocked`: behind an order, from its purchase to its close. `compensated`: a Market took it for
 * a buyer whose order was dropped or never started. `interest`: interest was paid out.
 */
export const pledgeMoveKind = z.enum(['pledged', 'unpledged', 'locked', 'unlocked', 'compensated', 'interest'])

/**
 * `GET /v1/cp/{address}/pledge`: a pledge and its interest over time, as booked on the chain. `points` are oldest first, one per change
 * and one per day on which interest was booked; `earned` contains `withdrawn`. `moves` are newest first, at most 500.
 */
export const pledgeHistoryAnswer = z.object({
  points: z.array(
    z.object({ time: unixSeconds, pledged: weiString, locked: weiString, earned: weiString, withdrawn: weiString }),
  ),
  moves: z.array(
    z.object({ time: unixSeconds, kind: pledgeMoveKind, amount: weiString, block: count, transactionHash: hashString }),
  ),
  block: count,
})
export type PledgeHistoryAnswer = z.infer<typeof pledgeHistoryAnswer>
