import { describe, expect, it } from 'vitest'
import { SAMPLE_GLOBAL } from '../../entities/network/sampleGlobal.ts'
import { resourceShares } from './resourceShares.ts'
import { seriesOf } from './seriesOf.ts'

describe('used and idle', () => {
  it('add up to what is listed', () => {
    const [gpu, cpu, memory, storage] = resourceShares({ ...SAMPLE_GLOBAL, gpus: { listed: 8, sold: 2 } })
    expect(gpu).toEqual({ resource: 'gpu', used: 2, idle: 6, share: 0.25 })
    expect(cpu).toEqual({ resource: 'cpu', used: 0, idle: 0, share: undefined })
    expect(memory).toMatchObject({ used: 1000, idle: 11_000 })
    expect(storage).toMatchObject({ used: 2000, idle: 28_000 })
  })

  it('never show a negative idle number', () => {
    expect(resourceShares({ ...SAMPLE_GLOBAL, gpus: { listed: 1, sold: 2 } })[0]).toMatchObject({ idle: 0, share: 1 })
  })
})

describe('history', () => {
  it('draws the fields of the chosen resource', () => {
    const points = [
      { ...SAMPLE_GLOBAL, time: 300, nodes: { listed: 2, sold: 0 }, diskGb: { listed: 900, sold: 0 } },
      { ...SAMPLE_GLOBAL, time: 600, nodes: { listed: 3, sold: 1 }, diskGb: { listed: 1900, sold: 400 } },
    ]
    expect(seriesOf(points, 'machines')).toEqual({ times: [300, 600], listed: [2, 3], used: [0, 1] })
    expect(seriesOf(points, 'storage')).toEqual({ times: [300, 600], listed: [900, 1900], used: [0, 400] })
  })
})
