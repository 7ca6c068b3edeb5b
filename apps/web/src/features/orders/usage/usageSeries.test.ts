import type { UsageLimits, UsagePoint } from '@rackfair/sdk/workspace'
import { describe, expect, it } from 'vitest'
import { addLive, joinPoints, MAX_LIVE_POINTS } from './usageRange.ts'
import { usageSeries } from './usageSeries.ts'

const point = (time: number, more: Partial<UsagePoint> = {}): UsagePoint => ({
  ...{ time, cores: 1, processes: 2, memoryBytes: 2 ** 30, receivedPerSecond: 125_000, sentPerSecond: 250_000, gpus: [] },
  ...more,
})
type Limits = Omit<UsageLimits, 'type'>
const gpu = { model: 'RTX 4090', memoryMb: 24 * 1024 }

describe('usageSeries', () => {
  const figures = (limits: Limits, read: UsagePoint) =>
    Object.fromEntries(
      usageSeries({ type: 'limits', ...limits }, [read]).map(({ key, lines, limit }) => [
        key,
        [...lines.map(({ figureOf }) => figureOf(read)), limit],
      ]),
    )

  it('reads every figure in the unit in which it was bought', () =>
    expect(figures({ cores: 4, memoryBytes: 8 * 2 ** 30, diskBytes: 20e9, gpus: [] }, point(1, { diskBytes: 5e9 }))).toEqual({
      ...{ processor: [1, 4], memory: [1, 8], disk: [5, 20], network: [1, 2, undefined], processes: [2, undefined] },
    }))
  it('draws up to two cards each, and more as mean and maximum', () => {
    const two = point(1, { gpus: [{ usePercent: 10 }, { usePercent: 30 }] })
    expect(figures({ gpus: [gpu, gpu] }, two).gpu).toEqual([10, 30, 100])
    const three = point(1, { gpus: [{ usePercent: 10 }, { usePercent: 30 }, { usePercent: 80 }] })
    expect(figures({ gpus: [gpu, gpu, gpu] }, three).gpu).toEqual([40, 80, 100])
  })
  it('draws nothing that was not measured', () => {
    const keys = (limits: Limits, ...points: UsagePoint[]) =>
      usageSeries({ type: 'limits', ...limits }, points).map(({ key }) => key)
    const plain = ['processor', 'memory', 'network', 'processes']
    expect(keys({ gpus: [gpu] }, point(1, { gpus: [{}] }))).toEqual(plain)
    expect(keys({ gpus: [gpu] }, point(1))).toEqual(plain)
    expect(keys({ gpus: [gpu] }, point(1), point(2, { gpus: [{ celsius: 40 }], diskBytes: 1 }))).toEqual([
      'gpuHeat',
      'processor',
      'memory',
      'disk',
      'network',
      'processes',
    ])
    expect(keys({ gpus: [gpu] })).toEqual([])
  })
})

describe('addLive', () => {
  it('keeps an hour of points, however many a machine sends', () => {
    let live: readonly UsagePoint[] = []
    for (let time = 0; time < MAX_LIVE_POINTS + 5; time += 1) live = addLive(live, point(time))
    expect([live.length, live[0]?.time, live.at(-1)?.time]).toEqual([MAX_LIVE_POINTS, 5, MAX_LIVE_POINTS + 4])
  })
})

describe('joinPoints', () => {
  it('keeps each moment once, with live points averaged', () => {
    const live = [point(100, { cores: 9 }), point(112, { cores: 1 }), point(114, { cores: 3 }), point(121, { cores: 5 })]
    const joined = joinPoints([point(90), point(100)], live, 10)
    expect(joined.map(({ time, cores }) => [time, cores])).toEqual([
      [90, 1],
      [100, 1],
      [114, 2],
      [121, 5],
    ])
  })
})
