import type { SeriesAnswer, SeriesRange } from '@rackfair/protocol/network'
import type { FeedPosition } from '../feed/ChangeFeed.ts'
import type { Database } from '../store/openStore.ts'

const RANGES: Record<SeriesRange, { step: number; points: number }> = {
  '24h': { step: 300, points: 288 },
  '7d': { step: 3_600, points: 168 },
  '30d': { step: 86_400, points: 30 },
}

/** Totals at the end of each step up to the indexed block; a step without a change repeats the one before. */
export async function seriesOf(db: Database, range: SeriesRange, position: FeedPosition): Promise<SeriesAnswer> {
  const { step, points } = RANGES[range]
  const last = position.blockTime - (position.blockTime % step)
  const first = Math.max(0, last - step * (points - 1))
  const before = await db
    .selectFrom('statBucket')
    .selectAll()
    .where('step', '=', step)
    .where('time', '<', first)
    .orderBy('time', 'desc')
    .limit(1)
    .execute()
  const within = await db
    .selectFrom('statBucket')
    .selectAll()
    .where('step', '=', step)
    .where('time', '>=', first)
    .where('time', '<=', last)
    .orderBy('time')
    .execute()
  const byTime = new Map(within.map((bucket) => [bucket.time, bucket]))
  const list: SeriesAnswer['points'] = []
  let current = before[0]
  for (let time = first; time <= last; time += step) {
    current = byTime.get(time) ?? current
    if (!current) continue
    const { step: _, ...totals } = current
    list.push({ ...totals, time })
  }
  return { range, stepSeconds: step, points: list, block: Math.max(0, position.block) }
}
