/** Monitors read at once: an answer may have 16 MiB, and ten times that in memory. */
const MAX_AT_ONCE = 8
/** How long one monitor is read in a round. */
const LANE_MS = 30_000
/** After a round that it used up, a monitor is left out for so long. */
const PAUSE_MS = 60_000

/**
 * Reads many monitors side by side, so that one that answers slowly or never delays nobody else's figures: what it leaves undone waits for a
 * later round. `clock` is in milliseconds.
 */
export function createLanes({ clock, laneMs = LANE_MS }: { clock: () => number; laneMs?: number | undefined }) {
  const pausedUntil = new Map<string, number>()
  const work = async <T>(lane: string, jobs: readonly T[], one: (job: T) => Promise<void>): Promise<void> => {
    if (clock() < (pausedUntil.get(lane) ?? 0)) return
    pausedUntil.delete(lane)
    const began = performance.now()
    for (const job of jobs) {
      await one(job)
      if (performance.now() - began < laneMs) continue
      pausedUntil.set(lane, clock() + PAUSE_MS)
      return
    }
  }
  /** Does the jobs of each lane one after another. They must not reject. */
  return async <T>(jobs: readonly T[], laneOf: (job: T) => string, one: (job: T) => Promise<void>): Promise<void> => {
    const lanes = new Map<string, T[]>()
    for (const job of jobs) lanes.set(laneOf(job), [...(lanes.get(laneOf(job)) ?? []), job])
    const waiting = [...lanes]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await work(...next, one)
    }
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
  }
}
