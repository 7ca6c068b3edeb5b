import { z } from 'zod'
import { addressString as address, hashString, idString } from './scalars.ts'

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

/** The agent's answer for each node that it has; `signature` is the operator's, over `Attestation`. */
export const probeAnswer = z.strictObject({
  attestations: z
    .array(z.strictObject({ nodeId: idString, orderId: idString, market: address, healthy: z.boolean(), signature }))
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

const MAX_REPORTS = 100_000
const bitmap = z.string().regex(/^0x[0-9a-f]{1,24}$/)

/** What a monitor saw of every order in a period, in the order of its tree: `GET /v1/reports/{period}` of a monitor. Bitmaps in hex. */
export const reportsAnswer = z.strictObject({
  monitor: address,
  period: z.number().int().min(0),
  reports: z
    .array(z.strictObject({ market: address, orderId: z.string().regex(/^\d{1,20}$/), observed: bitmap, down: bitmap }))
    .max(MAX_REPORTS),
})
