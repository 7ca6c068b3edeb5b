import { z } from 'zod'
import { HARDWARE_OUTCOMES } from '../hardware/verification.ts'
import { addressString as address, count, hashString, idString, unixSeconds } from './scalars.ts'
import { MAX_PROBED_NODES } from './uptime.ts'

/** Of a question of a monitor. */
export const MAX_HARDWARE_QUESTION_BYTES = 16_384
/** Of the roots of 16 nodes with 1,024 cores each; and of the proof of one, in base64. */
export const MAX_HARDWARE_BYTES = 2 * 2 ** 20

const signature = z.string().regex(/^0x[0-9a-f]{130}$/)
const epoch = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40)
/** Rows a round of 32 TiB. */
const rowsPerRound = z
  .number()
  .int()
  .min(1)
  .max(2 ** 29)
/** What tests memory, and what tests the disk. */
export const hardwareUse = z.enum(['memory', 'disk'])
export type HardwareUse = z.infer<typeof hardwareUse>

const question = { monitor: address, epoch, beacon: hashString, signature }

/** `POST /.rackfair/hardware/start` of an agent: measure these nodes. `signature` is the monitor's, over `HardwareQuestion`, in all three steps. */
export const hardwareStart = z.strictObject({
  ...question,
  hardwareClass: z.number().int().min(1).max(255),
  nodes: z.array(idString).min(1).max(MAX_PROBED_NODES),
})
export type HardwareStart = z.infer<typeof hardwareStart>

const roots = z.strictObject({ rowsPerRound, roots: z.array(hashString).length(64) })
export type HardwareRoots = z.infer<typeof roots>

/** Once every node has its roots: what each promises, signed by the operator over `HardwareCommitment`, or why it is not measured. */
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

/** `POST /.rackfair/hardware/walk`: all nodes at the same time. Each answers the root of its walk. */
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

/** `POST /.rackfair/hardware/open`: the rows and the steps of the walk that a salt asks for, of one node. */
export const hardwareOpen = z.strictObject({ ...question, use: hardwareUse, nodeId: idString, salt: hashString })
export type HardwareOpen = z.infer<typeof hardwareOpen>
const base64 = z
  .string()
  .max(MAX_HARDWARE_BYTES)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/)
export const hardwareOpened = z.strictObject({ rows: base64, walk: base64 })
export type HardwareOpened = z.infer<typeof hardwareOpened>

const small = z
  .number()
  .int()
  .min(0)
  .max(2 ** 32 - 1)
const bytes = z
  .number()
  .int()
  .min(0)
  .max(2 ** 46)

/** What a monitor found of one node, signed over `HardwareResult`. */
export const hardwareResultWire = z.strictObject({
  monitor: address,
  provider: address,
  nodeId: idString,
  rev: small,
  orderId: idString,
  beacon: hashString,
  hardwareClass: z.number().int().min(1).max(255),
  outcome: z.enum(HARDWARE_OUTCOMES),
  memoryBytes: bytes,
  diskBytes: bytes,
  cores: small,
  /** GPUs whose memory was measured. */
  gpus: small,
  /** From the question to the roots, and what the class allows. */
  makingMs: small,
  limitMs: small,
  memoryWalkMs: small,
  diskWalkMs: small,
  time: unixSeconds.max(2 ** 40),
  signature,
})
export type HardwareResultWire = z.infer<typeof hardwareResultWire>

/** `POST /.rackfair/hardware/result`: a monitor's results, for the agent's own records. */
export const hardwareResults = z.strictObject({ results: z.array(hardwareResultWire).min(1).max(MAX_PROBED_NODES) })
export type HardwareResults = z.infer<typeof hardwareResults>

/** Results in one answer of a monitor. */
export const MAX_PUBLISHED_RESULTS = 500
/** `GET /v1/hardware/{after}` of a monitor: its results after a number that it counts them with, oldest first. */
export const publishedHardware = z.strictObject({
  monitor: address,
  results: z.array(hardwareResultWire).max(MAX_PUBLISHED_RESULTS),
  /** What to ask for next; the same as asked where there is nothing newer. */
  next: count,
})
export type PublishedHardware = z.infer<typeof publishedHardware>

/** What monitors agree on about a node's hardware. */
export const verificationWire = z.object({
  outcome: z.enum(['passed', 'failed']),
  hardwareClass: count,
  /** Whether it was passed, and is no older than eight days. */
  verified: z.boolean(),
  /** Unix seconds of the newest test that enough monitors took part in. */
  time: unixSeconds,
  agreed: count,
  needed: count,
  memoryBytes: count,
  cores: count,
  /** GPUs whose memory was measured; 0 where none was. */
  gpus: count,
})
export type VerificationWire = z.infer<typeof verificationWire>

/** `GET /v1/nodes/{cp}/{id}/hardware`: the newest results of every monitor, with their signatures. */
export const hardwareAnswer = z.object({
  /** Null where no test was taken by enough monitors. */
  verification: verificationWire.nullable(),
  results: z.array(hardwareResultWire.extend({ /** Whether this monitor was drawn for the node. */ counts: z.boolean() })),
  block: count,
})
export type HardwareAnswer = z.infer<typeof hardwareAnswer>
