import { HARDWARE_OUTCOMES, type HardwareOutcome } from '@rackfair/hardware/verification'
import { address, count, fieldsOf, flag, hash, listOf, oneOf, orNull, type Read, seconds } from '@rackfair/protocol/shape'
import { verification } from '@rackfair/protocol/verification'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { NodeVerification } from '@rackfair/rules/node/node'

/** What one monitor measured of a node at a beacon. */
export interface HardwareMeasurement {
  monitor: LowerCaseAddress
  beacon: `0x${string}`
  /** Revision of the node at the measurement. */
  revision: number
  hardwareClass: number
  outcome: HardwareOutcome
  memoryBytes: number
  diskBytes: number
  cores: number
  /** Time from the question to the roots, and the limit of the class. */
  makingMs: number
  limitMs: number
  memoryWalkMs: number
  diskWalkMs: number
  /** Unix seconds. */
  time: number
  /** Whether this monitor was drawn for the node. */
  counts: boolean
}

export interface HardwareRecord {
  /** Null if not enough monitors measured it. */
  verification: NodeVerification | null
  /** Newest first. */
  results: readonly HardwareMeasurement[]
}

/**
 * `GET /v1/nodes/{provider}/{id}/hardware`, without signatures: to check those, use the raw answer.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readHardwareRecord(json: unknown): HardwareRecord {
  const of = fieldsOf(json, 'hardware')
  return { verification: of('verification', orNull(verification)), results: of('results', listOf(measurement)) }
}

const measurement: Read<HardwareMeasurement> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    monitor: of('monitor', address),
    beacon: of('beacon', hash),
    revision: of('rev', count),
    hardwareClass: of('hardwareClass', count),
    outcome: of('outcome', oneOf(...HARDWARE_OUTCOMES)),
    memoryBytes: of('memoryBytes', count),
    diskBytes: of('diskBytes', count),
    cores: of('cores', count),
    makingMs: of('makingMs', count),
    limitMs: of('limitMs', count),
    memoryWalkMs: of('memoryWalkMs', count),
    diskWalkMs: of('diskWalkMs', count),
    time: of('time', seconds),
    counts: of('counts', flag),
  }
}
