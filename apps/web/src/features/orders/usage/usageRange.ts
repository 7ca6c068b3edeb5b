import type { UsagePoint } from '@rackfair/sdk/workspace'

export const USAGE_RANGES = ['live', 'hour', 'day', 'week'] as const
export type UsageRange = (typeof USAGE_RANGES)[number]

/** Seconds that a range shows, and that one of its points stands for. */
export const RANGES: Record<UsageRange, { seconds: number; step: number }> = {
  live: { seconds: 300, step: 2 },
  hour: { seconds: 3600, step: 30 },
  day: { seconds: 86_400, step: 300 },
  week: { seconds: 7 * 86_400, step: 1800 },
}
/** The machine writes one down this often. */
const RECORD_SECONDS = 10

/** A point that is missing for so long is a gap. */
export const gapSeconds = (range: UsageRange): number => Math.max(RECORD_SECONDS, RANGES[range].step) * 2.5

/** Live points collected before the machine's own history is fetched again, an hour's worth. */
export const MAX_LIVE_POINTS = 1800

/** One more of the live points. A machine that sends them faster, and no history, makes the oldest go. */
export const addLive = (live: readonly UsagePoint[], point: UsagePoint): readonly UsagePoint[] => [
  ...live.slice(1 - MAX_LIVE_POINTS),
  point,
]

/**
 * What was written down and what was seen since, in one row: of the latter, each point is the mean of its stretch.
 *
 * @example
 * joinPoints(history, live, 30) // live points after the last of `history`, one for each 30 s
 */
export function joinPoints(history: readonly UsagePoint[], live: readonly UsagePoint[], step: number): UsagePoint[] {
  const last = history.at(-1)?.time ?? 0
  const groups = Map.groupBy(
    live.filter(({ time }) => time > last),
    ({ time }) => Math.floor(time / step),
  )
  return [...history, ...[...groups.values()].map(meanOf)]
}

function meanOf(points: UsagePoint[]): UsagePoint {
  const newest = points.at(-1) as UsagePoint
  if (points.length === 1) return newest
  const mean = (figureOf: (point: UsagePoint) => number) =>
    points.reduce((sum, point) => sum + figureOf(point), 0) / points.length
  return {
    // What changes slowly is the newest.
    ...newest,
    cores: mean(({ cores }) => cores),
    receivedPerSecond: mean(({ receivedPerSecond }) => receivedPerSecond),
    sentPerSecond: mean(({ sentPerSecond }) => sentPerSecond),
    gpus: newest.gpus.map((gpu, index) => ({
      ...gpu,
      usePercent: gpu.usePercent === undefined ? undefined : mean(({ gpus }) => gpus[index]?.usePercent ?? 0),
    })),
  }
}
