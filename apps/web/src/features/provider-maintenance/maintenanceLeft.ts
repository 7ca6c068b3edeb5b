import type { Pace } from '@rackfair/rules/uptime/epoch'
import { MAINTENANCE, maintenanceEpochs, maintenanceMonth } from '@rackfair/rules/uptime/maintenance'
import type { UsedMaintenance } from '@rackfair/sdk/http'

export interface MaintenanceLeft {
  seconds: number
  pieces: number
}

/** What machines have left of the month that a time lies in, as the platform has read it. */
export function leftInMonth(pace: Pace, used: readonly UsedMaintenance[], time: number) {
  const { from, until } = maintenanceMonth(pace, time)
  const all: MaintenanceLeft = { seconds: pace.epochSeconds * pace.epochsPerPeriod, pieces: MAINTENANCE.maxWindows }
  const usedOf = new Map(used.filter((one) => one.from === from).map((one) => [one.nodeId, one]))
  const of = (nodeId: number): MaintenanceLeft => {
    const { seconds, pieces } = usedOf.get(nodeId) ?? { seconds: 0, pieces: 0 }
    return { seconds: Math.max(0, all.seconds - seconds), pieces: Math.max(0, all.pieces - pieces) }
  }
  return { all, until, of }
}

/** What each of these machines has left: seconds of the one with the fewest; none of one without a piece left. */
export const leastLeft = (left: readonly MaintenanceLeft[], all: MaintenanceLeft): number =>
  Math.min(all.seconds, ...left.map(({ seconds, pieces }) => (pieces === 0 ? 0 : seconds)))

/** What a time takes of a month: the epochs that it touches, in seconds. */
export const takenSeconds = (pace: Pace, times: { from: number; until: number }): number =>
  maintenanceEpochs(pace, times).epochs * pace.epochSeconds
