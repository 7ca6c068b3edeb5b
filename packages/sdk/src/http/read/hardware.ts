import { HARDWARE_OUTCOMES, type HardwareOutcome, type LowerCaseAddress, type NodeVerification } from '@rackfair/core'
import { address, count, fieldsOf, flag, hash, listOf, oneOf, orNull, type Read, seconds } from './fields.ts'
import { readVerification } from './node.ts'

/** What one monitor measured of a node at a beacon. */
export interface HardwareMeasurement {
  monitor: LowerCaseAddress
  beacon: `0x${string}`
  /** Of the node as it was measured. */
  revision: number
  hardwareClass: number
  outcome: HardwareOutcome
  memoryBytes: number
  diskBytes: number
  cores: number
  /** From the question to the roots, and what the class allows. */
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
  /** Null where no test was taken by enough monitors. */
  verification: NodeVerification | null
  /** Newest first. */
  results: readonly HardwareMeasurement[]
}

/**
 * `GET /v1/nodes/{provider}/{id}/hardware`, without signatures: who checks those takes the answer as it came.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readHardwareRecord(json: unknown): HardwareRecord {
  const of = fieldsOf(json, 'hardware')
  return { verification: of('verification', orNull(readVerification)), results: of('results', listOf(measurement)) }
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
