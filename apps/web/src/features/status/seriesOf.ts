import type { SeriesAnswer } from '@rackfair/core/wire'
import type { Resource } from './resourceShares.ts'

export type Drawn = 'machines' | Resource
export const DRAWN: readonly Drawn[] = ['machines', 'gpu', 'cpu', 'memory', 'storage']

type Point = SeriesAnswer['points'][number]

const FIELDS: Record<Drawn, [listed: keyof Point, used: keyof Point]> = {
  machines: ['nodeGlobal', 'nodeUsed'],
  gpu: ['gpuGlobal', 'gpuUsed'],
  cpu: ['cpuGlobal', 'cpuUsed'],
  memory: ['memGlobal', 'memUsed'],
  storage: ['diskGlobal', 'diskUsed'],
}

/** The two lines of one chart. */
export function seriesOf(answer: SeriesAnswer, drawn: Drawn): { times: number[]; listed: number[]; used: number[] } {
  const [listed, used] = FIELDS[drawn]
  return {
    times: answer.points.map((point) => point.time),
    listed: answer.points.map((point) => point[listed]),
    used: answer.points.map((point) => point[used]),
  }
}
