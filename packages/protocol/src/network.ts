import { amount, count, from, group, listOf, object, oneOf, orNull, seconds, unread, type ValueOf, type WireOf } from './shape.ts'

/** More than a range has steps. */
const MAX_POINTS = 10_000

/** The capacity of the market at a moment, under the specification's names on the wire; `sold` is what orders hold now. */
const capacity = {
  providers: from('cpNumber', count),
  nodes: group({ listed: from('nodeGlobal', count), sold: from('nodeUsed', count) }),
  cpus: group({ listed: from('cpuGlobal', count), sold: from('cpuUsed', count) }),
  gpus: group({ listed: from('gpuGlobal', count), sold: from('gpuUsed', count) }),
  memoryGb: group({ listed: from('memGlobal', count), sold: from('memUsed', count) }),
  diskGb: group({ listed: from('diskGlobal', count), sold: from('diskUsed', count) }),
}

/** The capacity of the market now. */
export const networkTotals = object({
  ...capacity,
  nodesOnline: from('nodeOnline', count),
  /** Median milliseconds from an accepted deploy request to running; null before the first. */
  medianDeployMs: orNull(amount),
})
export type NetworkTotals = ValueOf<typeof networkTotals>
export type GlobalWire = WireOf<typeof networkTotals>
export type NetworkCapacity = Omit<NetworkTotals, 'nodesOnline' | 'medianDeployMs'>
/** Of one resource. */
export type ResourceTotal = NetworkCapacity['nodes']

/** `GET /v1/global/`. */
export const globalAnswer = object({ global: networkTotals, block: unread(count), blockTime: unread(seconds) })
export type GlobalAnswer = WireOf<typeof globalAnswer>

export const SERIES_RANGES = ['24h', '7d', '30d'] as const
export type SeriesRange = (typeof SERIES_RANGES)[number]
/** `GET /v1/stats/series?range=`: the capacity at the end of each step (5 min, 1 h, 1 d), oldest first. */
export const seriesAnswer = object({
  range: unread(oneOf(...SERIES_RANGES)),
  stepSeconds: seconds,
  points: listOf(object({ ...capacity, time: seconds }), MAX_POINTS),
  block: unread(count),
})
export type NetworkSeries = ValueOf<typeof seriesAnswer>
export type SeriesAnswer = WireOf<typeof seriesAnswer>

/**
 * `GET /v1/global/`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readNetworkTotals = (json: unknown): NetworkTotals => globalAnswer(json, 'network').global

/**
 * `GET /v1/stats/series`.
 * @throws AppError `answer_malformed`.
 */
export const readNetworkSeries = (json: unknown): NetworkSeries => seriesAnswer(json, 'series')
