import { describe, expect, it } from 'vitest'
import { areaPath, chartScale, lineStretches, strokePath } from './chartScale.ts'

describe('chartScale', () => {
  it('ends above what was bought, and above what was used beyond it', () => {
    expect(chartScale({ from: 0, highest: 53, limit: 128 }).top).toBeGreaterThan(128)
    expect(chartScale({ from: 0, highest: 150, limit: 128 }).top).toBeGreaterThan(150)
  })
  it('has two to four round ticks from its start, below its end', () => {
    for (const highest of [0, 0.004, 0.9, 1, 7, 24, 99.5, 100, 2000, 123_456]) {
      for (const from of [0, 30]) {
        const { ticks, top } = chartScale({ from, highest: from + highest, limit: undefined })
        expect(ticks[0]).toBe(from)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThanOrEqual(4)
        expect(ticks.at(-1)).toBeLessThan(top)
      }
    }
  })
  it.each([1e-323, 1e-9, Number.EPSILON, 1e15, 1.7e308])('terminates for any limit that an agent reports: %d', (limit) => {
    for (const from of [0, 30]) {
      const { ticks, top } = chartScale({ from, highest: 0, limit: from + limit })
      expect(top - from).toBeGreaterThan(0)
      expect(top).toBeLessThan(Number.POSITIVE_INFINITY)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(4)
    }
  })
  it('does not magnify values close to zero', () =>
    expect(chartScale({ from: 0, highest: 0.001, limit: undefined }).top).toBeGreaterThanOrEqual(1))
})

describe('lineStretches', () => {
  const plot = { from: 0, to: 100, gap: 25, scale: { from: 0, top: 10, ticks: [] } }
  const at = (...points: [number, number | undefined][]) =>
    lineStretches(
      points.map(([time, value]) => ({ time, value })),
      plot,
    )

  it('leaves a gap where nothing was measured for long', () =>
    expect(at([10, 0], [20, 5], [60, 10], [70, 10])).toEqual([
      [
        [100, 100],
        [200, 50],
      ],
      [
        [600, 0],
        [700, 0],
      ],
    ]))
  it('leaves a gap where a value is missing', () => expect(at([10, 1], [20, undefined], [30, 1])).toHaveLength(2))
  it('omits what lies before the axis', () => expect(at([-5, 1], [5, 1])).toEqual([[[50, 90]]]))
  it('draws a single point as a dot without an area', () => {
    const dot = at([50, 5])
    expect(strokePath(dot)).toBe('M500.0 50.0h0.1')
    expect(areaPath(dot)).toBe('')
  })
  it('closes an area at the bottom of its own stretch', () =>
    expect(areaPath(at([0, 10], [10, 5]))).toBe('M0.0 100L0.0 0.0L100.0 50.0V100Z'))
})
