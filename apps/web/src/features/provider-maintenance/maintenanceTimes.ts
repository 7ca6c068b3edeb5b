import type { Pace } from '@rackfair/rules/uptime/epoch'
import { earliestMaintenance } from '@rackfair/rules/uptime/maintenance'
import type { PlannedMaintenance } from '@rackfair/sdk/http'

const MINUTE = 60
const QUARTER = 15 * MINUTE
const USUAL_SECONDS = 2 * 3600

/** One announcement: machines that may be down at the same time. */
export interface Announced {
  from: number
  until: number
  nodeIds: number[]
}

/** Together what was announced together, the next first. */
export function announcedTogether(planned: readonly PlannedMaintenance[]): Announced[] {
  const groups = new Map<string, Announced>()
  for (const { nodeId, from, until } of planned) {
    const key = `${from} ${until}`
    const group = groups.get(key) ?? { from, until, nodeIds: [] }
    group.nodeIds.push(nodeId)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => a.from - b.from)
}

/** The next two hours that can still be announced, from a quarter of an hour on; less where a period is shorter. */
export function suggestedTimes(pace: Pace, now: number): { from: number; until: number } {
  const periodSeconds = pace.epochSeconds * pace.epochsPerPeriod
  const step = periodSeconds > USUAL_SECONDS ? QUARTER : MINUTE
  // One step more: who reads and signs takes a while.
  const from = Math.ceil(earliestMaintenance(pace, now) / step + 1) * step
  return { from, until: from + Math.min(USUAL_SECONDS, Math.floor(periodSeconds / 2 / MINUTE) * MINUTE) }
}

/** As an input of type `datetime-local` has it, in this browser's zone. */
export function toLocalInput(seconds: number): string {
  const time = new Date(seconds * 1000)
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE * 1000).toISOString().slice(0, 16)
}

/** Unix seconds; NaN for what is no time. */
export const fromLocalInput = (text: string): number => Math.floor(new Date(text).getTime() / 1000)
