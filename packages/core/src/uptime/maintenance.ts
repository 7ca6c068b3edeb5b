import type { Pace } from './epoch.ts'

/** What the contract `Monitors` holds providers to. */
export const MAINTENANCE = {
  /** Periods between an announcement and its start: a day of three times eight hours. */
  noticePeriods: 3,
  /** Months are counted from Unix time 0; in each a node has one period of maintenance at most. */
  monthPeriods: 90,
  /** In one announcement. */
  maxNodes: 50,
  /** Pieces of a node in a month. */
  maxWindows: 8,
} as const

/** Why an announcement would be refused. Times in Unix seconds. */
export type MaintenanceProblem =
  | { code: 'no_nodes' | 'too_many_nodes' | 'ends_first' }
  | { code: 'too_long'; maxSeconds: number }
  | { code: 'too_soon'; earliest: number }
  | { code: 'over_month'; border: number }

/** The epochs that a time touches: outages are counted in whole ones. */
export function maintenanceEpochs({ epochSeconds }: Pace, { from, until }: { from: number; until: number }) {
  const firstEpoch = Math.floor(from / epochSeconds)
  return { firstEpoch, epochs: Math.ceil(until / epochSeconds) - firstEpoch }
}

/** The month of maintenance that a time lies in, in Unix seconds. */
export function maintenanceMonth({ epochSeconds, epochsPerPeriod }: Pace, time: number): { from: number; until: number } {
  const seconds = MAINTENANCE.monthPeriods * epochsPerPeriod * epochSeconds
  const from = Math.floor(time / seconds) * seconds
  return { from, until: from + seconds }
}

/** How long before it begins maintenance is announced or withdrawn at the latest, in seconds. */
export const maintenanceNotice = ({ epochSeconds, epochsPerPeriod }: Pace): number =>
  MAINTENANCE.noticePeriods * epochsPerPeriod * epochSeconds

/** From when on maintenance may begin that is announced now, in Unix seconds. */
export const earliestMaintenance = (pace: Pace, now: number): number => now + maintenanceNotice(pace)

/**
 * What is wrong with maintenance of so many nodes between two times, by itself: what was announced before of the same month is not looked at.
 *
 * @param now Unix seconds, of the newest block.
 * @example maintenanceProblem(PRODUCTION_PACE, { nodes: 1, from: now + 60, until: now + 660 }, now)?.code // 'too_soon'
 */
export function maintenanceProblem(
  pace: Pace,
  { nodes, from, until }: { nodes: number; from: number; until: number },
  now: number,
): MaintenanceProblem | undefined {
  const { epochSeconds, epochsPerPeriod } = pace
  if (nodes === 0) return { code: 'no_nodes' }
  if (nodes > MAINTENANCE.maxNodes) return { code: 'too_many_nodes' }
  if (!(until > from)) return { code: 'ends_first' }
  const { firstEpoch, epochs } = maintenanceEpochs(pace, { from, until })
  if (epochs > epochsPerPeriod) return { code: 'too_long', maxSeconds: epochsPerPeriod * epochSeconds }
  const earliest = earliestMaintenance(pace, now)
  if (firstEpoch * epochSeconds < earliest) return { code: 'too_soon', earliest }
  const monthEpochs = MAINTENANCE.monthPeriods * epochsPerPeriod
  if ((firstEpoch % monthEpochs) + epochs <= monthEpochs) return undefined
  return { code: 'over_month', border: (Math.floor(firstEpoch / monthEpochs) + 1) * monthEpochs * epochSeconds }
}
