import { z } from 'zod'
import { addressString as address, count, hashString, idString, unixSeconds, weiString } from './scalars.ts'

/** Nodes of one provider in one question. */
export const MAX_PROBED_NODES = 16
/** Of a question and of its answer. */
export const MAX_PROBE_BYTES = 16_384

/** Of a key, r, s and v: operators and monitors are keys. */
const signature = z.string().regex(/^0x[0-9a-f]{130}$/)
const epoch = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40)

/** What a monitor asks an agent at `POST /.rackfair/attestation`. `signature` is the monitor's, over `Probe`. */
export const probeRequest = z.strictObject({
  monitor: address,
  epoch,
  /** Hash of a block of this epoch. */
  beacon: hashString,
  nodes: z.array(idString).min(1).max(MAX_PROBED_NODES),
  signature,
})
export type ProbeRequest = z.infer<typeof probeRequest>

/** What an operator signs when a deployment gets its image, over `Deployment`: that it runs no other. */
export const imagePromise = z.strictObject({
  /** Keccak-256 of the deployment's id. */
  deployment: hashString,
  /** Keccak-256 of the application as its user signed it, or of the number of a preset. */
  spec: hashString,
  /** Digest of the image. */
  image: hashString,
  signature,
})
export type ImagePromise = z.infer<typeof imagePromise>

/**
 * The agent's answer for each node that it has; `signature` is the operator's, over `Attestation`. `deployment` and `image` are of what runs,
 * zero where that is nothing; `promise` is what was signed of that deployment.
 */
export const probeAnswer = z.strictObject({
  attestations: z
    .array(
      z.strictObject({
        ...{ nodeId: idString, orderId: idString, market: address, healthy: z.boolean() },
        ...{ deployment: hashString, image: hashString, promise: imagePromise.optional() },
        signature,
      }),
    )
    .max(MAX_PROBED_NODES),
})
export type ProbeAnswer = z.infer<typeof probeAnswer>

/** What a monitor gives back at `POST /.rackfair/acknowledgement`; `signature` is the monitor's, over `Acknowledgement`. */
export const acknowledgementRequest = z.strictObject({
  monitor: address,
  epoch,
  acknowledgements: z
    .array(z.strictObject({ nodeId: idString, orderId: idString, market: address, signature }))
    .min(1)
    .max(MAX_PROBED_NODES),
})
export type AcknowledgementRequest = z.infer<typeof acknowledgementRequest>

/** Epochs of a period at any pace. */
const MAX_ATTESTATIONS = 96

/** `GET /v1/attestations/{period}/{market}/{orderId}` of a monitor: what an order's operator attested to it of the image that ran. */
export const attestationsAnswer = z.strictObject({
  attestations: z
    .array(
      z.strictObject({
        ...{ epoch, beacon: hashString, deployment: hashString, image: hashString, signature },
        promise: imagePromise.omit({ deployment: true }).optional(),
      }),
    )
    .max(MAX_ATTESTATIONS),
})
export type AttestationsAnswer = z.infer<typeof attestationsAnswer>

/** Reports of one monitor over a period; a busy market has fewer. */
const MAX_REPORTS = 100_000
/** The 96 epochs of a period; bit i is epoch i. */
const bitmap = z.string().regex(/^0x[0-9a-f]{1,24}$/)

/** `GET /v1/reports/{period}` of a monitor: what it saw of every order, in the order of its tree. */
export const reportsAnswer = z.strictObject({
  monitor: address,
  period: count,
  reports: z.array(z.strictObject({ market: address, orderId: idString, observed: bitmap, down: bitmap })).max(MAX_REPORTS),
})
export type ReportsAnswer = z.infer<typeof reportsAnswer>

/** One outage: the epochs without an answer, from the first to the last, and what that rests on. */
export const outageWire = z.object({
  nodeId: count,
  orderId: idString,
  /** Unix seconds; `until` is the end of the last epoch. */
  from: unixSeconds,
  until: unixSeconds,
  epochs: count,
  /** In maintenance that was announced in time: refunded, and without a weight. */
  announced: z.boolean(),
  /** `found` may still be challenged until `finalAt`. Only what is final counts and is refunded. */
  state: z.enum(['found', 'final']),
  finalAt: unixSeconds,
  /** Monitors that published a report of the order in which one of these epochs is down, and all that published one. */
  agreed: count,
  reported: count,
  /** The transaction that counted it, or that found it while it can be challenged. */
  transactionHash: hashString,
})
export type OutageWire = z.infer<typeof outageWire>

/**
 * Why a node is taken for as reliable as it is. `failures` and `observedDays` are what `uninterruptedChance` takes, what is assumed before any
 * evidence included; `seenDays` is what was really observed, `countedDays` what of it counts.
 */
export const reliabilityWire = z.object({
  failures: z.number().min(0),
  observedDays: z.number().min(0),
  seenDays: z.number().min(0),
  countedDays: z.number().min(0),
  outages: count,
  brokenOrders: count,
  /** The last 90 days as `stripOf` writes them. */
  strip: z.string().regex(/^[-0-9]{90}$/),
  /** The day of the newest block, which the strip ends with: days since 1970-01-01. */
  day: count,
})
export type ReliabilityWire = z.infer<typeof reliabilityWire>

/** `GET /v1/nodes/{cp}/{id}/reliability` and `GET /v1/cp/{address}/reliability`: the figure with everything that it is made of. */
export const reliabilityAnswer = z.object({
  /** Null where nothing was ever observed and no order broken. */
  reliability: reliabilityWire.nullable(),
  /** Whether monitors watch this market at all. */
  monitored: z.boolean(),
  /** Newest first, of the last 400 days, at most 500. */
  outages: z.array(outageWire),
  /** Maintenance that was announced and is not over, the next first, at most 1,000. Unix seconds. */
  maintenance: z.array(z.object({ nodeId: count, from: unixSeconds, until: unixSeconds })),
  /**
   * What is announced of each month of maintenance that is not over, with what of it is over: `from` is when the month begins. Nodes without any are
   * left out; at most 5,000.
   */
  maintenanceUsed: z.array(z.object({ nodeId: count, from: unixSeconds, seconds: count, pieces: count })).optional(),
  /** Orders that were dropped or never started, newest first. */
  brokenOrders: z.array(z.object({ nodeId: count, orderId: idString, time: unixSeconds, transactionHash: hashString })),
  block: count,
})
export type ReliabilityAnswer = z.infer<typeof reliabilityAnswer>

/** What a monitor reported of an order, with the way to the root that it revealed on the chain. */
const voteWire = z.object({ monitor: address, observed: bitmap, down: bitmap, proof: z.array(hashString).max(32) })

/** `GET /v1/orders/{id}/evidence`: what every monitor reported of an order, period by period. Check it against the roots on the chain. */
export const orderEvidenceAnswer = z.object({
  orderId: idString,
  periods: z.array(z.object({ period: count, votes: z.array(voteWire) })),
  block: count,
})
export type OrderEvidenceAnswer = z.infer<typeof orderEvidenceAnswer>

/** `GET /v1/monitors`: who watches this market. */
export const monitorsAnswer = z.object({
  monitors: z.array(
    z.object({
      address,
      bond: weiString,
      joinedAt: unixSeconds,
      /** 0 while it monitors. */
      leftAt: unixSeconds,
      /** 0 unless it contradicted itself. */
      slashedAt: unixSeconds,
      /** Periods of eight hours that it reported, and the newest of them; null if none. */
      periods: count,
      lastPeriod: count.nullable(),
    }),
  ),
  block: count,
})
export type MonitorsAnswer = z.infer<typeof monitorsAnswer>
