import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DayRecord, reliability } from './reliability.ts'
import {
  brierScore,
  calibration,
  FAILURE_LAWS,
  recalibrated,
  type ScoredHost,
  scoreRow,
  simulateHosts,
} from './testing/simulateHosts.ts'

const TODAY = 20_779
const published = readFileSync(new URL('../../../../docs/reliability.md', import.meta.url), 'utf8')
const cleanDays = (count: number): DayRecord[] =>
  Array.from({ length: count }, (_, index) => ({ day: TODAY - index, observedSeconds: 86_400, outages: 0, brokenOrders: 0 }))
const percent = (records: readonly DayRecord[], days = 30) => Math.round(100 * reliability(records, { today: TODAY, days }))

describe('the reliability of a node', () => {
  it('starts low and rises with days without an outage', () => {
    expect([percent([]), percent(cleanDays(90)), percent(cleanDays(365))]).toEqual([25, 76, 90])
  })

  it('falls with an outage, and three times as much with a broken order', () => {
    const [first, ...rest] = cleanDays(90) as [DayRecord, ...DayRecord[]]
    const outage = reliability([{ ...first, outages: 1 }, ...rest], { today: TODAY, days: 30 })
    expect(reliability([{ ...first, brokenOrders: 1 }, ...rest], { today: TODAY, days: 30 })).toBeCloseTo(
      reliability([{ ...first, outages: 3 }, ...rest], { today: TODAY, days: 30 }),
    )
    expect(outage).toBeCloseTo(reliability(cleanDays(90), { today: TODAY, days: 30 }) ** 2, 2)
  })

  it('halves the weight of the past each year, and drops it after 400 days', () => {
    const outageAt = (age: number) =>
      reliability([{ day: TODAY - age, observedSeconds: 0, outages: 2, brokenOrders: 0 }], { today: TODAY, days: 30 })
    expect(outageAt(365)).toBeCloseTo((10 / 40) ** 2)
    expect(outageAt(0)).toBeCloseTo((10 / 40) ** 3)
    expect(outageAt(400)).toBeLessThan(0.25)
    expect(outageAt(401)).toBe(0.25)
  })

  it('counts at most a day for each day, and none in the future', () => {
    const odd = { day: TODAY, observedSeconds: 1e12, outages: 0, brokenOrders: 0 }
    expect(reliability([odd], { today: TODAY, days: 30 })).toBeCloseTo(11 / 41)
    expect(reliability([{ ...odd, day: TODAY + 1, outages: 9 }], { today: TODAY, days: 30 })).toBe(0.25)
  })

  describe.each(Object.entries(FAILURE_LAWS))('on 10,000 %s hosts', (name, law) => {
    it.each([7, 30])('is calibrated for the next %i days, and predicts better than uptime percentages', (days) => {
      const hosts = simulateHosts(law, { count: 10_000, days, seed: 20_261_122 })
      const off = calibration(hosts, ({ ours }) => ours).map(({ said, truth }) => Math.abs(said - truth))
      // The prior is that of steady hosts; this bound states openly how far off it may be for other hosts.
      expect(Math.max(...off)).toBeLessThan(name === 'steady' ? 0.02 : 0.05)
      const ours = brierScore(hosts, (host) => host.ours)
      for (const theirs of [(host: ScoredHost) => host.runpod, (host: ScoredHost) => host.sevenDays]) {
        expect(ours).toBeLessThan(brierScore(hosts, theirs))
        expect(ours).toBeLessThan(brierScore(hosts, recalibrated(hosts, theirs)))
      }
      expect(published).toContain(scoreRow(name, days, hosts))
    })
  })
})
