import { z } from 'zod'
import { addressString as address, count, hashString, idString, unixSeconds, weiString } from './scalars.ts'

/** Maximum nodes of one provider in one probe. */
export const MAX_PROBED_NODES = 16
/** Maximum size of a probe and of its answer. */
export const MAX_PROBE_BYTES = 16_384

/** An ECDSA signature, r, s and v: operators and monitors are keys. */
const signature = z.string().regex(/^0x[0-9a-f]{130}$/)
const epoch = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40)

/** A monitor's probe of an agent at `POST /.rackfair/attestation`. `signature` is the monitor's, over `Probe`. */
export const probeRequest = z.strictObject({
  monitor: address,
  epoch,
  /** Hash of a block of this epoch. */
  beacon: hashString,
  nodes: z.array(idString).min(1).max(MAX_PROBED_NODES),
  signature,
})
export type ProbeRequest = z.infer<typeof probeRequest>

/** An operator's image promise, signed over `Deployment` when a deployment gets its image: that it runs no other. */
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
 * The agent's answer for each of its nodes; `signature` is the operator's, over `Attestation`. `deployment` and `image` are those running,
 * zero if there is none; `promise` is the signed promise of that deployment.
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

/** A monitor's acknowledgement at `POST /.rackfair/acknowledgement`; `signature` is the monitor's, over `Acknowledgement`. */
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

/** `GET /v1/attestations/{period}/{market}/{orderId}` of a monitor: what an order's operator attested to it about the running image. */
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

/** Maximum reports of one monitor over a period; a busy market has fewer. */
const MAX_REPORTS = 100_000
/** The 96 epochs of a period; bit i is epoch i. */
const bitmap = z.string().regex(/^0x[0-9a-f]{1,24}$/)

/** `GET /v1/reports/{period}` of a monitor: what it observed of every order, in the order of its tree. */
export const reportsAnswer = z.strictObject({
  monitor: address,
  period: count,
  reports: z.array(z.strictObject({ market: address, orderId: idString, observed: bitmap, down: bitmap })).max(MAX_REPORTS),
})
export type ReportsAnswer = z.infer<typeof reportsAnswer>

/** One outage: the epochs without an answer, from the first to the last, and the evidence for it. */
export const outageWire = z.object({
  nodeId: count,
  orderId: idString,
  /** Unix seconds; `until` is the end of the last epoch. */
  from: unixSeconds,
  until: unixSeconds,
  epochs: count,
  /** Whether it lies in maintenance that was announced in time: refunded, but without weight. */
  announced: z.boolean(),
  /** `found` may still be challenged until `finalAt`. Only what is final counts and is refunded. */
  state: z.enum(['found', 'final']),
  finalAt: unixSeconds,
  /** Monitors whose published report of the order marks one of these epochs as down, and all that published one. */
  agreed: count,
  reported: count,
  /** The transaction that counted it, or that found it while it can be challenged. */
  transactionHash: hashString,
})
export type OutageWire = z.infer<typeof outageWire>

/**
 * The basis of a node's reliability. `failures` and `observedDays` are the arguments of `uninterruptedChance`, with the prior included;
 * `seenDays` is what was really observed, `countedDays` the part of it that counts.
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
  /** The last day of the strip, that of the newest block: days since 1970-01-01. */
  day: count,
})
export type ReliabilityWire = z.infer<typeof reliabilityWire>

/** `GET /v1/nodes/{cp}/{id}/reliability` and `GET /v1/cp/{address}/reliability`: the figure with everything it is computed from. */
export const reliabilityAnswer = z.object({
  /** Null if nothing was ever observed and no order broken. */
  reliability: reliabilityWire.nullable(),
  /** Whether monitors watch this market at all. */
  monitored: z.boolean(),
  /** Newest first, of the last 400 days, at most 500. */
  outages: z.array(outageWire),
  /** Announced maintenance that is not over, the next first, at most 1,000. Unix seconds. */
  maintenance: z.array(z.object({ nodeId: count, from: unixSeconds, until: unixSeconds })),
  /**
   * The maintenance announced in each month that is not over, past windows included: `from` is the start of the month. Nodes without any
   * are left out; at most 5,000.
   */
  maintenanceUsed: z.array(z.object({ nodeId: count, from: unixSeconds, seconds: count, pieces: count })).optional(),
  /** Orders that were dropped or never started, newest first. */
  brokenOrders: z.array(z.object({ nodeId: count, orderId: idString, time: unixSeconds, transactionHash: hashString })),
  block: count,
})
export type ReliabilityAnswer = z.infer<typeof reliabilityAnswer>

/** What a monitor reported of an order, with the Merkle proof to the root that it revealed on the chain. */
const voteWire = z.object({ monitor: address, observed: bitmap, down: bitmap, proof: z.array(hashString).max(32) })

/** `GET /v1/orders/{id}/evidence`: what every monitor reported of an order, period by period. Verify it against the roots on the chain. */
export const orderEvidenceAnswer = z.object({
  orderId: idString,
  periods: z.array(z.object({ period: count, votes: z.array(voteWire) })),
  block: count,
})
export type OrderEvidenceAnswer = z.infer<typeof orderEvidenceAnswer>

/** `GET /v1/monitors`: the monitors of this market. */
export const monitorsAnswer = z.object({
  monitors: z.array(
    z.object({
      address,
      bond: weiString,
      joinedAt: unixSeconds,
      /** 0 while it is active. */
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
