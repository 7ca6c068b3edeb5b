import { z } from 'zod'
import { count, unixSeconds } from './scalars.ts'

/** The market's totals under the specification's names; memory and disk in GB. `used` counts what is sold. */
export const globalWire = z.object({
  cpNumber: count,
  nodeGlobal: count,
  nodeUsed: count,
  nodeOnline: count,
  memGlobal: count,
  memUsed: count,
  diskGlobal: count,
  diskUsed: count,
  cpuGlobal: count,
  cpuUsed: count,
  gpuGlobal: count,
  gpuUsed: count,
  /** Median milliseconds from an accepted deploy request to running; null before the first. */
  medianDeployMs: count.nullable(),
})
export type GlobalWire = z.infer<typeof globalWire>
export const globalAnswer = z.object({ global: globalWire, block: count, blockTime: unixSeconds })
export type GlobalAnswer = z.infer<typeof globalAnswer>

export const seriesRange = z.enum(['24h', '7d', '30d'])
export type SeriesRange = z.infer<typeof seriesRange>
/** `GET /v1/stats/series?range=`: totals at the end of each step (5 min, 1 h, 1 d), oldest first. */
export const seriesAnswer = z.object({
  range: seriesRange,
  stepSeconds: count,
  points: z.array(
    z.object({
      time: unixSeconds,
      cpNumber: count,
      nodeGlobal: count,
      nodeUsed: count,
      cpuGlobal: count,
      cpuUsed: count,
      gpuGlobal: count,
      gpuUsed: count,
      memGlobal: count,
      memUsed: count,
      diskGlobal: count,
      diskUsed: count,
    }),
  ),
  block: count,
})
export type SeriesAnswer = z.infer<typeof seriesAnswer>
