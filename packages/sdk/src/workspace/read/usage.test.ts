import type { MachinesHistory, MachinesNow, UsageHistory, UsageLimits, UsageNow } from '@rackfair/protocol/workspaceRequests'
import { expect, test } from 'vitest'
import { readMachinesMessage, readUsageMessage } from './usage.ts'

const POINT = {
  ...{
    time: 1_800_000_000,
    cores: 1.5,
    processes: 2.5,
    memoryBytes: 2 ** 30,
    diskBytes: 5,
    receivedPerSecond: 0.5,
    sentPerSecond: 1,
  },
  gpus: [{ usePercent: 10, memoryUsedMb: 5, celsius: -3, watts: 90 }],
}
const LIMITS = { cores: 4, memoryBytes: 8, diskBytes: 20, gpus: [{ model: 'RTX 4090', memoryMb: 24_576 }] }
const GPU = { model: 'RTX 4090', celsius: 84, slowsAtCelsius: 83, problem: 'XID 79' }
const now = (gpu: object = {}, node: object = {}) => ({
  ...{ type: 'now', time: 1_800_000_000, version: '1', gpus: [{ ...GPU, ...gpu }] },
  nodes: [{ nodeId: 3, use: 0.5, gpus: [0], ...node }],
})
const history = (point: object = {}) => ({ type: 'history', nodes: [{ nodeId: 3, points: [{ time: 5, use: 0.5, ...point }] }] })

test('parses the usage that an agent reports, and drops unknown fields', () => {
  expect(readUsageMessage({ type: 'limits', ...LIMITS } satisfies UsageLimits)).toEqual({ type: 'limits', limits: LIMITS })
  expect(readUsageMessage({ type: 'history', points: [POINT] } satisfies UsageHistory)).toMatchObject({ points: [POINT] })
  expect(readUsageMessage({ type: 'now', point: POINT } satisfies UsageNow)).toEqual({ type: 'now', point: POINT })
  expect(readUsageMessage({ type: 'now', point: { ...POINT, sentPerSecond: -5 } })).toMatchObject({ point: { sentPerSecond: 0 } })
  expect(readMachinesMessage(now() as MachinesNow)).toMatchObject({
    now: { gpus: [GPU], nodes: [{ nodeId: 3, use: 0.5, gpus: [0] }] },
  })
  expect(readMachinesMessage(now({}, { nodeId: 2 ** 32 - 1 }))).toMatchObject({ now: { nodes: [{ nodeId: 2 ** 32 - 1 }] } })
  expect(readMachinesMessage(history() as MachinesHistory)).toEqual({
    ...{ type: 'history', nodes: [{ nodeId: 3, points: [{ time: 5, use: 0.5 }] }] },
  })
  expect([readUsageMessage({ type: 'weather' }), readMachinesMessage({ type: 'weather' })]).toEqual([undefined, undefined])
})

test.each([
  ['no message', null, 'usage'],
  ['a message without a kind', POINT, 'usage.type'],
  ['a point on no day', { type: 'now', point: { ...POINT, time: 1e15 } }, 'usage.point.time'],
  ['less than no memory', { type: 'now', point: { ...POINT, memoryBytes: -1 } }, 'usage.point.memoryBytes'],
  ['a heat that is a text', { type: 'now', point: { ...POINT, gpus: [{ celsius: 'hot' }] } }, 'usage.point.gpus.celsius'],
  ['a heat without bounds', { type: 'now', point: { ...POINT, gpus: [{ celsius: 1e300 }] } }, 'usage.point.gpus.celsius'],
  ['points without end', { type: 'history', points: Array(10_001).fill(POINT) }, 'usage.points'],
  ['cards without end', { type: 'limits', gpus: Array(4097).fill({ model: '' }) }, 'usage.gpus'],
  ['a card of a million characters', { type: 'limits', gpus: [{ model: 'x'.repeat(1e6) }] }, 'usage.gpus.model'],
])('%s is refused', (_, json, field) => expect(() => readUsageMessage(json)).toThrow(`cannot be read: ${field}`))

test.each([
  ['a card without a name', now({ model: undefined }), 'machines.gpus.model'],
  ['a problem of a million characters', now({ problem: 'x'.repeat(1e6) }), 'machines.gpus.problem'],
  ['a node that is none', now({}, { nodeId: -1 }), 'machines.nodes.nodeId'],
  ['a node beyond the last', now({}, { nodeId: 2 ** 32 }), 'machines.nodes.nodeId'],
  ['a place that is no number', now({}, { gpus: ['0'] }), 'machines.nodes.gpus'],
  ['a use of less than nothing', now({}, { use: -0.1 }), 'machines.nodes.use'],
  ['a use at no time', history({ time: null }), 'machines.nodes.points.time'],
])('%s is refused too', (_, json, field) => expect(() => readMachinesMessage(json)).toThrow(`cannot be read: ${field}`))
