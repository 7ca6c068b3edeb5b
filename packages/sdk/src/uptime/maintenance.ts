import { monitorsAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/core'
import type { MonitorsContract } from './readMonitors.ts'

/** What a provider announces: its nodes may be down between two times. */
export interface Maintenance {
  nodeIds: readonly bigint[]
  /** Unix seconds. */
  from: number
  until: number
}

/** Periods between the announcement and its start: a day of three times eight hours. */
const NOTICE_PERIODS = 3
const MONTH_PERIODS = 90
const MAX_NODES = 50

/**
 * The call that announces maintenance, from the provider's account. Downtime in it is refunded as any, but costs no penalty and does not count in
 * the reliability. Times are rounded to whole epochs of five minutes, outwards.
 *
 * @param now Unix seconds, of the newest block.
 * @example announceMaintenance(await readMonitors(client, access), { nodeIds: [1n], from: 1_796_090_400, until: 1_796_097_600 }, now)
 * @throws AppError `bad_request` when it is nearer than a day, longer than eight hours, or reaches over the end of a month of 30 days.
 */
export function announceMaintenance(monitors: MonitorsContract, maintenance: Maintenance, now: number) {
  return maintenanceCall('announceMaintenance', monitors, maintenance, now)
}

/** The call that takes the same announcement back, at least a day before it begins. Reads and throws as `announceMaintenance`. */
export function withdrawMaintenance(monitors: MonitorsContract, maintenance: Maintenance, now: number) {
  return maintenanceCall('withdrawMaintenance', monitors, maintenance, now)
}

function maintenanceCall<Name extends 'announceMaintenance' | 'withdrawMaintenance'>(
  functionName: Name,
  { address, pace: { epochSeconds, epochsPerPeriod } }: MonitorsContract,
  { nodeIds, from, until }: Maintenance,
  now: number,
) {
  const firstEpoch = Math.floor(from / epochSeconds)
  const epochs = Math.ceil(until / epochSeconds) - firstEpoch
  const monthEpochs = MONTH_PERIODS * epochsPerPeriod
  const earliest = now + NOTICE_PERIODS * epochsPerPeriod * epochSeconds
  const refuse = (reason: string) => {
    throw new AppError('bad_request', `${reason}; nothing was sent`)
  }
  const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()
  if (nodeIds.length === 0 || nodeIds.length > MAX_NODES) refuse(`maintenance is announced for 1 to ${MAX_NODES} nodes at once`)
  if (!(until > from)) refuse('maintenance ends after it begins')
  if (epochs > epochsPerPeriod) refuse(`a node has at most ${epochsPerPeriod * epochSeconds} s of maintenance in a month`)
  if (firstEpoch * epochSeconds < earliest) refuse(`maintenance is announced a day ahead: not before ${timeOf(earliest)}`)
  if ((firstEpoch % monthEpochs) + epochs > monthEpochs) {
    const border = (Math.floor(firstEpoch / monthEpochs) + 1) * monthEpochs * epochSeconds
    refuse(`a month of maintenance ends at ${timeOf(border)}: announce the time before and after it apart`)
  }
  return { address, abi: monitorsAbi, functionName, args: [nodeIds, BigInt(firstEpoch), epochs] as const }
}
