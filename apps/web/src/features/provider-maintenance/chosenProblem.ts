import type { Pace } from '@rackfair/rules/uptime/epoch'
import { MAINTENANCE, type MaintenanceProblem, maintenanceProblem } from '@rackfair/rules/uptime/maintenance'
import { type MaintenanceLeft, takenSeconds } from './maintenanceLeft.ts'

/** Why a maintenance cannot be announced: for the market's reasons, or for one that is known of a machine. */
export type ChosenProblem = MaintenanceProblem | { code: 'no_time' } | { code: 'used' | 'no_pieces'; nodeId: number }

interface ChosenMaintenance {
  chosen: ReadonlySet<number>
  /** Chain time in seconds; NaN where nothing or no time was typed. */
  from: number
  until: number
  left: { of: (nodeId: number) => MaintenanceLeft }
  /** Chain time in seconds. */
  now: number
}

/** What keeps the chosen machines' maintenance from being announced now; undefined if nothing does. */
export function chosenProblem(pace: Pace, { chosen, from, until, left, now }: ChosenMaintenance): ChosenProblem | undefined {
  if (Number.isNaN(from) || Number.isNaN(until)) return { code: 'no_time' }
  // Too many for one call are split over several.
  const problem = maintenanceProblem(pace, { nodes: Math.min(chosen.size, MAINTENANCE.maxNodes), from, until }, now)
  if (problem) return problem
  const taken = takenSeconds(pace, { from, until })
  for (const nodeId of chosen) {
    if (left.of(nodeId).pieces === 0) return { code: 'no_pieces', nodeId }
    if (left.of(nodeId).seconds < taken) return { code: 'used', nodeId }
  }
  return undefined
}
