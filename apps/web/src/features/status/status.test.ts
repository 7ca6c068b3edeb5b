import { describe, expect, it } from 'vitest'
import { SAMPLE_GLOBAL } from '../../lib/sampleGlobal.ts'
import { resourceShares } from './resourceShares.ts'
import { seriesOf } from './seriesOf.ts'

describe('used and idle', () => {
  it('add up to what is listed', () => {
    const [gpu, cpu, memory, storage] = resourceShares({ ...SAMPLE_GLOBAL, gpuGlobal: 8, gpuUsed: 2, cpuGlobal: 0, cpuUsed: 0 })
    expect(gpu).toEqual({ resource: 'gpu', used: 2, idle: 6, share: 0.25 })
    expect(cpu).toEqual({ resource: 'cpu', used: 0, idle: 0, share: undefined })
    expect(memory).toMatchObject({ used: 1000, idle: 11_000 })
    expect(storage).toMatchObject({ used: 2000, idle: 28_000 })
  })

  it('never show less than nothing idle', () => {
    expect(resourceShares({ ...SAMPLE_GLOBAL, gpuGlobal: 1, gpuUsed: 2 })[0]).toMatchObject({ idle: 0, share: 1 })
  })
})

describe('history', () => {
  const point = { cpNumber: 1, cpuGlobal: 0, cpuUsed: 0, gpuGlobal: 0, gpuUsed: 0, memGlobal: 0, memUsed: 0 }
  it('draws the fields of what was chosen', () => {
    const points = [
      { ...point, time: 300, nodeGlobal: 2, nodeUsed: 0, diskGlobal: 900, diskUsed: 0 },
      { ...point, time: 600, nodeGlobal: 3, nodeUsed: 1, diskGlobal: 1900, diskUsed: 400 },
    ]
    const answer = { range: '24h' as const, stepSeconds: 300, points, block: 1 }
    expect(seriesOf(answer, 'machines')).toEqual({ times: [300, 600], listed: [2, 3], used: [0, 1] })
    expect(seriesOf(answer, 'storage')).toEqual({ times: [300, 600], listed: [900, 1900], used: [0, 400] })
  })
})
