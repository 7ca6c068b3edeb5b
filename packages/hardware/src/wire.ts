import { addressString as address, count, hashString, idString } from '@rackfair/protocol/scalars'
import { MAX_PROBED_NODES } from '@rackfair/protocol/uptime'
import { strictOf } from '@rackfair/protocol/zodOf'
import { z } from 'zod'
import { hardwareResult } from './record.ts'

/** Maximum size of a monitor's question. */
export const MAX_HARDWARE_QUESTION_BYTES = 16_384
/** Fits the roots of 16 nodes with 1,024 cores each, and the proof of one node, in base64. */
export const MAX_HARDWARE_BYTES = 2 * 2 ** 20

const signature = z.string().regex(/^0x[0-9a-f]{130}$/)
const epoch = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40)
/** Up to the rows per round of 32 TiB. */
const rowsPerRound = z
  .number()
  .int()
  .min(1)
  .max(2 ** 29)
/** The memory test and the disk test. */
export const hardwareUse = z.enum(['memory', 'disk'])
export type HardwareUse = z.infer<typeof hardwareUse>

const question = { monitor: address, epoch, beacon: hashString, signature }

/**
 * `POST /.rackfair/hardware/start` of an agent: measure these nodes. `signature` is the monitor's, over `HardwareQuestion`, in all three
 * steps.
 */
export const hardwareStart = z.strictObject({
  ...question,
  hardwareClass: z.number().int().min(1).max(255),
  nodes: z.array(idString).min(1).max(MAX_PROBED_NODES),
})
export type HardwareStart = z.infer<typeof hardwareStart>

const roots = z.strictObject({ rowsPerRound, roots: z.array(hashString).length(64) })
export type HardwareRoots = z.infer<typeof roots>

/**
 * The answer once every node has its roots: each node's commitment, signed by the operator over `HardwareCommitment`, or why it is not
 * measured.
 */
export const hardwareStarted = z.strictObject({
  nodes: z
    .array(
      z.union([
        z.strictObject({
          nodeId: idString,
          commitment: z.strictObject({ memory: roots, disk: roots, argon: z.array(hashString).min(1).max(1024) }),
          signature,
        }),
        z.strictObject({ nodeId: idString, declined: z.enum(['in_use', 'time_spent', 'memory_taken']) }),
      ]),
    )
    .max(MAX_PROBED_NODES),
})
export type HardwareStarted = z.infer<typeof hardwareStarted>
export type HardwareCommitmentWire = Extract<HardwareStarted['nodes'][number], { commitment: unknown }>['commitment']

/** `POST /.rackfair/hardware/walk`: all nodes in parallel. The answer has the root of each walk. */
export const hardwareWalk = z.strictObject({
  ...question,
  use: hardwareUse,
  nodes: z
    .array(z.strictObject({ nodeId: idString, salt: hashString }))
    .min(1)
    .max(MAX_PROBED_NODES),
})
export type HardwareWalk = z.infer<typeof hardwareWalk>
export const hardwareWalked = z.strictObject({
  nodes: z.array(z.strictObject({ nodeId: idString, root: hashString })).max(MAX_PROBED_NODES),
})
export type HardwareWalked = z.infer<typeof hardwareWalked>

/** `POST /.rackfair/hardware/open`: the rows and the steps of the walk selected by a salt, of one node. */
export const hardwareOpen = z.strictObject({ ...question, use: hardwareUse, nodeId: idString, salt: hashString })
export type HardwareOpen = z.infer<typeof hardwareOpen>
const base64 = z
  .string()
  .max(MAX_HARDWARE_BYTES)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/)
export const hardwareOpened = z.strictObject({ rows: base64, walk: base64 })
export type HardwareOpened = z.infer<typeof hardwareOpened>

/** `POST /.rackfair/hardware/result`: a monitor's results, for the agent's own records. */
export const hardwareResults = z.strictObject({ results: z.array(strictOf(hardwareResult)).min(1).max(MAX_PROBED_NODES) })
export type HardwareResults = z.infer<typeof hardwareResults>

/** Maximum results in one answer of a monitor. */
export const MAX_PUBLISHED_RESULTS = 500
/** `GET /v1/hardware/{after}` of a monitor: its results after a sequence number of its own, oldest first. */
export const publishedHardware = z.strictObject({
  monitor: address,
  results: z.array(strictOf(hardwareResult)).max(MAX_PUBLISHED_RESULTS),
  /** The next `after`; unchanged if there is nothing newer. */
  next: count,
})
export type PublishedHardware = z.infer<typeof publishedHardware>
