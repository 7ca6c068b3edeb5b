import type { NetworkSeries } from '@rackfair/sdk/http'
import { type Resource, totalOf } from './resourceShares.ts'

export type Drawn = 'machines' | Resource
export const DRAWN: readonly Drawn[] = ['machines', 'gpu', 'cpu', 'memory', 'storage']

/** The two lines of one chart. */
export function seriesOf(points: NetworkSeries['points'], drawn: Drawn): { times: number[]; listed: number[]; used: number[] } {
  const totals = points.map((point) => (drawn === 'machines' ? point.nodes : totalOf(point, drawn)))
  return {
    times: points.map((point) => point.time),
    listed: totals.map(({ listed }) => listed),
    used: totals.map(({ sold }) => sold),
  }
}
