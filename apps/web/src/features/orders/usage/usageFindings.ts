import type { UsageLimits, UsagePoint } from '@rackfair/sdk/workspace'

/** What the figures of a stretch of time say, as far as it is worth a sentence. Shares are of what was bought, from 0 to 1. */
export type UsageFinding =
  | { kind: 'memory_full' | 'disk_full'; share: number }
  | { kind: 'processor_full'; share: number }
  | { kind: 'gpu_idle'; share: number }
  | { kind: 'processor_idle'; highest: number; bought: number }
  | { kind: 'room' }

const MAX_FINDINGS = 3
/** Fewer say nothing of what is usual. */
const MIN_POINTS = 30
const NEARLY_FULL = 0.9
const BUSY = 0.95
/** Of the time in which it is busy. */
const MOSTLY = 0.5
const IDLE_CARD_PERCENT = 5
const IDLE_SHARE = 0.25
const MIN_CORES_TO_SPARE = 2

/** What is close to its end first, then what is bought and not used; at most three, and none of a stretch that is too short to tell. */
export function usageFindings(limits: UsageLimits, points: readonly UsagePoint[]): UsageFinding[] {
  if (points.length < MIN_POINTS) return []
  const highestOf = (figureOf: (point: UsagePoint) => number | undefined) =>
    points.reduce((highest, point) => Math.max(highest, figureOf(point) ?? 0), 0)
  const shareOf = (limit: number | undefined, figureOf: (point: UsagePoint) => number | undefined) =>
    limit ? highestOf(figureOf) / limit : undefined
  const memory = shareOf(limits.memoryBytes, ({ memoryBytes }) => memoryBytes)
  const disk = shareOf(limits.diskBytes, ({ diskBytes }) => diskBytes)
  const { cores } = limits
  const busy = cores ? points.filter((point) => point.cores >= BUSY * cores).length / points.length : 0
  const cards = points.flatMap(({ gpus }) => gpus.flatMap(({ usePercent }) => usePercent ?? []))
  const idleCards = cards.filter((percent) => percent < IDLE_CARD_PERCENT).length / cards.length
  const highestCores = highestOf((point) => point.cores)
  const found: UsageFinding[] = [
    ...(memory !== undefined && memory >= NEARLY_FULL ? [{ kind: 'memory_full' as const, share: memory }] : []),
    ...(disk !== undefined && disk >= NEARLY_FULL ? [{ kind: 'disk_full' as const, share: disk }] : []),
    ...(busy >= MOSTLY ? [{ kind: 'processor_full' as const, share: busy }] : []),
    ...(cards.length > 0 && idleCards >= NEARLY_FULL ? [{ kind: 'gpu_idle' as const, share: idleCards }] : []),
    ...(cores !== undefined && cores >= MIN_CORES_TO_SPARE && highestCores < IDLE_SHARE * cores
      ? [{ kind: 'processor_idle' as const, highest: highestCores, bought: cores }]
      : []),
  ]
  return found.length === 0 ? [{ kind: 'room' }] : found.slice(0, MAX_FINDINGS)
}
