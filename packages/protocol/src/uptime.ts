import { z } from 'zod'
import { imagePromise, promisedImage } from './deployments.ts'
import { addressString as address, count, hashString, idString, unixSeconds, weiString } from './scalars.ts'
import { zodOf } from './zodOf.ts'

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

/**
 * The agent's answer for each of its nodes; `signature` is the operator's, over `Attestation`. `deployment` and `image` are those running,
 * zero if there is none; `promise` is the signed promise of that deployment.
 */
export const probeAnswer = z.strictObject({
  attestations: z
    .array(
      z.strictObject({
        ...{ nodeId: idString, orderId: idString, market: address, healthy: z.boolean() },
        ...{ deployment: hashString, image: hashString, promise: zodOf(imagePromise).optional() },
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
        promise: zodOf(promisedImage).optional(),
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
