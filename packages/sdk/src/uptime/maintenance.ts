import { findingsAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Pace } from '@rackfair/rules/uptime/epoch'
import {
  MAINTENANCE,
  type MaintenanceProblem,
  maintenanceEpochs,
  maintenanceNotice,
  maintenanceProblem,
} from '@rackfair/rules/uptime/maintenance'
import type { MonitorsContract } from './readMonitors.ts'

/** What a provider announces: its nodes may be down between two times. */
export interface Maintenance {
  nodeIds: readonly bigint[]
  /** Unix seconds. */
  from: number
  until: number
}

/**
 * The call that announces maintenance, from the provider's account. Downtime in it is refunded like any other, but costs no penalty and
 * does not count against the reliability. Times are rounded outwards to whole epochs of five minutes.
 *
 * @param now Unix seconds, of the latest block.
 * @example announceMaintenance(await readMonitors(client, access), { nodeIds: [1n], from: 1_796_090_400, until: 1_796_097_600 }, now)
 * @throws AppError `bad_request` if it begins in less than a day or more than 30, is longer than eight hours, or crosses the end of a month of 30 days.
 */
export function announceMaintenance(monitors: MonitorsContract, maintenance: Maintenance, now: number) {
  return maintenanceCall('announceMaintenance', monitors, maintenance, now)
}

/** The call that withdraws the announcement, at least a day before it begins. Takes and throws the same as `announceMaintenance`. */
export function withdrawMaintenance(monitors: MonitorsContract, maintenance: Maintenance, now: number) {
  return maintenanceCall('withdrawMaintenance', monitors, maintenance, now)
}

function maintenanceCall<Name extends 'announceMaintenance' | 'withdrawMaintenance'>(
  functionName: Name,
  { findings, pace }: MonitorsContract,
  { nodeIds, from, until }: Maintenance,
  now: number,
) {
  const problem = maintenanceProblem(pace, { nodes: nodeIds.length, from, until }, now)
  if (problem) throw new AppError('bad_request', `${reasonOf(problem, pace)}; nothing was sent`)
  const { firstEpoch, epochs } = maintenanceEpochs(pace, { from, until })
  return { address: findings, abi: findingsAbi, functionName, args: [nodeIds, BigInt(firstEpoch), epochs] as const }
}

function reasonOf(problem: MaintenanceProblem, pace: Pace): string {
  const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
  switch (problem.code) {
    case 'no_nodes':
    case 'too_many_nodes':
      return `maintenance is announced for 1 to ${MAINTENANCE.maxNodes} nodes at once`
    case 'ends_first':
      return 'maintenance ends after it begins'
    case 'too_long':
      return `a node has at most ${problem.maxSeconds} s of maintenance in any 30 days`
    case 'too_soon':
      return `maintenance is announced ${maintenanceNotice(pace)} s ahead: not before ${timeOf(problem.earliest)}`
    case 'too_far':
      return `maintenance begins at ${timeOf(problem.latest)} at the latest`
    case 'over_month':
      return `a month of maintenance ends at ${timeOf(problem.border)}: announce the time before and after that separately`
  }
}
