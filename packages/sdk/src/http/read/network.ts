import { amount, count, fieldsOf, listOf, orNull, type Read, seconds } from './fields.ts'

/** More than a range has steps. */
const MAX_POINTS = 10_000

/** Of one resource. */
export interface ResourceTotal {
  listed: number
  sold: number
}

/** The capacity of the market at a moment. */
export interface NetworkCapacity {
  providers: number
  nodes: ResourceTotal
  cpus: ResourceTotal
  gpus: ResourceTotal
  memoryGb: ResourceTotal
  diskGb: ResourceTotal
}

/** The capacity of the market now. */
export interface NetworkTotals extends NetworkCapacity {
  nodesOnline: number
  /** Time from an accepted deploy request to running; null before the first. */
  medianDeployMs: number | null
}

/** The capacity of the market at the end of each step, oldest first. */
export interface NetworkSeries {
  stepSeconds: number
  /** `time` in unix seconds. */
  points: readonly (NetworkCapacity & { time: number })[]
}

/**
 * `GET /v1/global/`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readNetworkTotals(json: unknown): NetworkTotals {
  return fieldsOf(json, 'network')('global', (totals, name) => {
    const of = fieldsOf(totals, name)
    return {
      ...capacity(totals, name),
      nodesOnline: of('nodeOnline', count),
      medianDeployMs: of('medianDeployMs', orNull(amount)),
    }
  })
}

/**
 * `GET /v1/stats/series`.
 * @throws AppError `answer_malformed`.
 */
export function readNetworkSeries(json: unknown): NetworkSeries {
  const of = fieldsOf(json, 'series')
  return {
    stepSeconds: of('stepSeconds', seconds),
    points: of(
      'points',
      listOf((point, name) => ({ ...capacity(point, name), time: fieldsOf(point, name)('time', seconds) }), MAX_POINTS),
    ),
  }
}

const capacity: Read<NetworkCapacity> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    providers: of('cpNumber', count),
    nodes: { listed: of('nodeGlobal', count), sold: of('nodeUsed', count) },
    cpus: { listed: of('cpuGlobal', count), sold: of('cpuUsed', count) },
    gpus: { listed: of('gpuGlobal', count), sold: of('gpuUsed', count) },
    memoryGb: { listed: of('memGlobal', count), sold: of('memUsed', count) },
    diskGb: { listed: of('diskGlobal', count), sold: of('diskUsed', count) },
  }
}
