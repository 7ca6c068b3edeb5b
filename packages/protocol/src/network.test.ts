import { expect, test } from 'vitest'
import { globalAnswer, readNetworkSeries, readNetworkTotals, seriesAnswer } from './network.ts'
import { zodOf } from './zodOf.ts'

const CAPACITY = {
  ...{ cpNumber: 2, nodeGlobal: 3, nodeUsed: 1, cpuGlobal: 6, cpuUsed: 2, gpuGlobal: 4, gpuUsed: 0 },
  ...{ memGlobal: 192, memUsed: 64, diskGlobal: 4500, diskUsed: 1500 },
}
const READ = {
  ...{ providers: 2, nodes: { listed: 3, sold: 1 }, cpus: { listed: 6, sold: 2 }, gpus: { listed: 4, sold: 0 } },
  ...{ memoryGb: { listed: 192, sold: 64 }, diskGb: { listed: 4500, sold: 1500 } },
}
const totals = (changes: object = {}) => ({
  ...{ global: { ...CAPACITY, nodeOnline: 3, medianDeployMs: 310, ...changes }, block: 7, blockTime: 1_800_000_000 },
})
const series = (point: object = {}) => ({
  ...{ range: '24h', stepSeconds: 300, points: [{ ...CAPACITY, time: 1_800_000_000, ...point }], block: 7 },
})

test('parses what is listed and sold, now and over time', () => {
  expect(readNetworkTotals(zodOf(globalAnswer).parse(totals()))).toEqual({ ...READ, nodesOnline: 3, medianDeployMs: 310 })
  expect(readNetworkTotals(totals({ medianDeployMs: null })).medianDeployMs).toBeNull()
  expect(readNetworkSeries(zodOf(seriesAnswer).parse(series()))).toEqual({
    stepSeconds: 300,
    points: [{ ...READ, time: 1_800_000_000 }],
  })
})

test.each([
  ['no totals', { global: [] }, 'network.global'],
  ['half a provider', totals({ cpNumber: 0.5 }), 'network.global.cpNumber'],
  ['fewer nodes than none', totals({ nodeUsed: -1 }), 'network.global.nodeUsed'],
  ['a time that is a text', totals({ medianDeployMs: '310' }), 'network.global.medianDeployMs'],
])('%s are refused', (_, json, field) => expect(() => readNetworkTotals(json)).toThrow(`cannot be read: ${field}`))

test.each([
  ['a point without a time', series({ time: undefined }), 'series.points.time'],
  ['memory beyond what JSON holds', series({ memGlobal: 2 ** 53 }), 'series.points.memGlobal'],
  ['points without end', { ...series(), points: Array(10_001) }, 'series.points'],
  ['steps of no length', { ...series(), stepSeconds: null }, 'series.stepSeconds'],
])('%s is refused', (_, json, field) => expect(() => readNetworkSeries(json)).toThrow(`cannot be read: ${field}`))
