import { describe, expect, it } from 'vitest'
import { earningsSeries } from './earningsSeries.ts'

const DAY = 86_400
const today = 1_790_000_000 - (1_790_000_000 % DAY)
const entry = (daysAgo: number, nodeId: number, grossWei: bigint, commissionWei = 0n) => ({
  day: today - daysAgo * DAY,
  nodeId,
  grossWei,
  commissionWei,
})

describe('earnings over time', () => {
  it('has one value per day, zero where nothing was earned', () => {
    const series = earningsSeries([entry(3, 1, 5n), entry(0, 1, 7n)], today + 3600, 5)
    expect(series.days).toEqual([4, 3, 2, 1, 0].map((ago) => today - ago * DAY))
    expect(series.perDayWei).toEqual([0n, 5n, 0n, 0n, 7n])
    expect(series.netWei).toBe(12n)
  })
  it('subtracts the commission and sums up the nodes, best first', () => {
    const days = [entry(1, 1, 100n, 10n), entry(1, 2, 50n, 5n), entry(0, 2, 200n, 20n)]
    const series = earningsSeries(days, today, 2)
    expect(series.perDayWei).toEqual([135n, 180n])
    expect(series.commissionWei).toBe(35n)
    expect(series.nodes).toEqual([
      { nodeId: 2, netWei: 225n, perDayWei: [45n, 180n] },
      { nodeId: 1, netWei: 90n, perDayWei: [90n, 0n] },
    ])
  })
  it('omits what lies before the range', () => {
    const series = earningsSeries([entry(30, 1, 5n)], today, 30)
    expect(series.netWei).toBe(0n)
    expect(series.nodes).toEqual([])
  })
})
