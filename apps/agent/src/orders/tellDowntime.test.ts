import { expect, it } from 'vitest'
import type { ChainOrder } from '../chain/read/chainView.ts'
import { createDowntimeTeller } from './tellDowntime.ts'

const DAY = 86_400
const SINCE = 1_800_000_000

it('reports deducted downtime once, and as an error once anyone can close the order after a day away', () => {
  const said: [string, Record<string, unknown> | undefined][] = []
  const tell = createDowntimeTeller({
    warn: (_message, facts) => said.push(['warn', facts]),
    error: (_message, facts) => said.push(['error', facts]),
  })
  const order = {
    id: 12n,
    status: 2,
    down: 0,
    creditedTwice: 0,
    downSince: 0,
    reportedUntil: SINCE,
    activateTime: SINCE,
    duration: 30 * DAY,
  } as ChainOrder
  tell([order], SINCE)
  expect(said).toEqual([])

  const short = { ...order, down: 600, downSince: SINCE, reportedUntil: SINCE + 600 }
  tell([short], SINCE + DAY)
  tell([short], SINCE + DAY)
  expect(said).toEqual([['warn', { orderId: '12', downSeconds: 600, paidOnceMoreSeconds: 0 }]])

  const away = { ...short, down: DAY, creditedTwice: 44_760, reportedUntil: SINCE + DAY }
  tell([away], SINCE + DAY)
  tell([away], SINCE + DAY)
  const since = new Date(SINCE * 1000).toISOString()
  expect(said.slice(1)).toEqual([['error', { orderId: '12', downSeconds: DAY, paidOnceMoreSeconds: 44_760, since }]])

  tell([{ ...away, id: 13n, status: 5 }], SINCE + DAY)
  expect(said).toHaveLength(2)
})
