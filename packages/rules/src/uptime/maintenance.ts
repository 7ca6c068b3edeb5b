import type { Pace } from './epoch.ts'

/** The limits that the contract `Monitors` sets providers. */
export const MAINTENANCE = {
  /** Periods between an announcement and its start: a day of three times eight hours. */
  noticePeriods: 3,
  /**
   * It begins within the time of a month from now. In any time as long as a month, a node has at most one period of maintenance. Months are
   * counted from unix time 0, and an announcement lies within one.
   */
  monthPeriods: 90,
  /** Nodes per announcement. */
  maxNodes: 50,
  /** How often a node can announce maintenance that begins in one month. */
  maxWindows: 8,
} as const

/** Why an announcement would be refused. Times in unix seconds. */
export type MaintenanceProblem =
  | { code: 'no_nodes' | 'too_many_nodes' | 'ends_first' }
  | { code: 'too_long'; maxSeconds: number }
  | { code: 'too_soon'; earliest: number }
  | { code: 'too_far'; latest: number }
  | { code: 'over_month'; border: number }

/** The epochs that a time span touches: outages are counted in whole epochs. */
export function maintenanceEpochs({ epochSeconds }: Pace, { from, until }: { from: number; until: number }) {
  const firstEpoch = Math.floor(from / epochSeconds)
  return { firstEpoch, epochs: Math.ceil(until / epochSeconds) - firstEpoch }
}

/** The epochs of a month. */
export const maintenanceMonthEpochs = ({ epochsPerPeriod }: Pick<Pace, 'epochsPerPeriod'>): number =>
  MAINTENANCE.monthPeriods * epochsPerPeriod

/** The month of maintenance that a time lies in, in unix seconds. */
export function maintenanceMonth(pace: Pace, time: number): { from: number; until: number } {
  const seconds = maintenanceMonthEpochs(pace) * pace.epochSeconds
  const from = Math.floor(time / seconds) * seconds
  return { from, until: from + seconds }
}

/** The minimum notice for announcing or withdrawing maintenance, in seconds. */
export const maintenanceNotice = ({ epochSeconds, epochsPerPeriod }: Pace): number =>
  MAINTENANCE.noticePeriods * epochsPerPeriod * epochSeconds

/** The earliest start of maintenance announced now, in unix seconds. */
export const earliestMaintenance = (pace: Pace, now: number): number => now + maintenanceNotice(pace)

/**
 * Validates maintenance of so many nodes between two times on its own: other announcements are not considered.
 *
 * @param now Unix seconds, of the latest block.
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
  const monthEpochs = maintenanceMonthEpochs(pace)
  const latest = now + monthEpochs * epochSeconds
  if (firstEpoch * epochSeconds > latest) return { code: 'too_far', latest }
  if ((firstEpoch % monthEpochs) + epochs <= monthEpochs) return undefined
  return { code: 'over_month', border: (Math.floor(firstEpoch / monthEpochs) + 1) * monthEpochs * epochSeconds }
}
