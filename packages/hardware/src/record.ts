import {
  address,
  count,
  countTo,
  flag,
  from,
  hash,
  id,
  listOf,
  object,
  oneOf,
  orNull,
  signature,
  type ValueOf,
  type WireOf,
} from '@rackfair/protocol/shape'
import { verification } from '@rackfair/protocol/verification'
import { HARDWARE_OUTCOMES } from './verification.ts'

/** Of an answer; a platform keeps 300 per node. */
const MAX_RESULTS = 10_000
const small = /*@__PURE__*/ countTo(2 ** 32 - 1)
const bytes = /*@__PURE__*/ countTo(2 ** 46)

const fields = {
  monitor: address,
  provider: address,
  nodeId: id,
  /** Revision of the node at the measurement. */
  revision: /*@__PURE__*/ from('rev', small),
  orderId: id,
  beacon: hash,
  hardwareClass: /*@__PURE__*/ countTo(255),
  outcome: /*@__PURE__*/ oneOf(...HARDWARE_OUTCOMES),
  memoryBytes: bytes,
  diskBytes: bytes,
  cores: small,
  /** GPUs whose memory was measured. */
  gpus: small,
  /** Time from the question to the roots, and the limit of the class. */
  makingMs: small,
  limitMs: small,
  memoryWalkMs: small,
  diskWalkMs: small,
  /** Unix seconds. */
  time: /*@__PURE__*/ countTo(2 ** 40),
  signature,
}

/** What one monitor measured of a node at a beacon, signed over `HardwareResult`. */
export const hardwareResult = /*@__PURE__*/ object(fields)
export type HardwareResultWire = WireOf<typeof hardwareResult>

const measurement = /*@__PURE__*/ object({
  ...fields,
  /** Whether this monitor was drawn for the node. */
  counts: flag,
})
export type HardwareMeasurement = ValueOf<typeof measurement>

/** `GET /v1/nodes/{cp}/{id}/hardware`: the results of every monitor, newest first, with their signatures. */
export const hardwareRecord = /*@__PURE__*/ object({
  /** Null if not enough monitors measured it. */
  verification: orNull(verification),
  results: listOf(measurement, MAX_RESULTS),
  block: count,
})
export type HardwareAnswer = WireOf<typeof hardwareRecord>
export type HardwareRecord = ValueOf<typeof hardwareRecord>

/** @throws AppError `answer_malformed` with the `field` that is wrong. */
export const readHardwareRecord = (json: unknown): HardwareRecord => hardwareRecord(json, 'hardware')
