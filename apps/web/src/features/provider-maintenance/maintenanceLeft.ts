import type { Pace } from '@rackfair/rules/uptime/epoch'
import { MAINTENANCE, maintenanceEpochs, maintenanceMonth } from '@rackfair/rules/uptime/maintenance'
import type { UsedMaintenance } from '@rackfair/sdk/http'

export interface MaintenanceLeft {
  seconds: number
  pieces: number
}

/**
 * What machines have left at a time, as the platform has read it: hours in every 30 days that the time lies in, and pieces in the month that
 * it lies in.
 */
export function leftAround(pace: Pace, used: readonly UsedMaintenance[], time: number) {
  const { from, until } = maintenanceMonth(pace, time)
  const length = until - from
  const all: MaintenanceLeft = { seconds: pace.epochSeconds * pace.epochsPerPeriod, pieces: MAINTENANCE.maxWindows }
  const usedOf = Map.groupBy(used, ({ nodeId }) => nodeId)
  const of = (nodeId: number): MaintenanceLeft => {
    const announced = usedOf.get(nodeId) ?? []
    const secondsFrom = (start: number) =>
      sum(announced.filter((one) => one.from >= start && one.from < start + length).map(({ seconds }) => seconds))
    // No other 30 days have more than some that begin with an announcement.
    const starts = [time, ...announced.map((one) => one.from).filter((start) => start <= time && time < start + length)]
    const most = Math.max(...starts.map(secondsFrom))
    const pieces = sum(announced.filter((one) => one.from >= from && one.from < until).map((one) => one.pieces))
    return { seconds: Math.max(0, all.seconds - most), pieces: Math.max(0, all.pieces - pieces) }
  }
  return { all, of }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** What each of these machines has left: seconds of the one with the fewest; none of one without a piece left. */
export const leastLeft = (left: readonly MaintenanceLeft[], all: MaintenanceLeft): number =>
  Math.min(all.seconds, ...left.map(({ seconds, pieces }) => (pieces === 0 ? 0 : seconds)))

/** What a time takes of a month: the epochs that it touches, in seconds. */
export const takenSeconds = (pace: Pace, times: { from: number; until: number }): number =>
  maintenanceEpochs(pace, times).epochs * pace.epochSeconds
