import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJson, readFrames } from '@rackfair/protocol/frames'
import type { MachinesHistory, MachinesNow, UsagePoint } from '@rackfair/protocol/workspaceAnswers'
import { MACHINES } from '@rackfair/protocol/workspaceText'
import { afterAll, expect, it } from 'vitest'
import { createNodeRecords } from '../../../machine/usage/nodeRecords.ts'
import { createUsageRing, RECORD_SECONDS } from '../../../machine/usage/usageRing.ts'
import type { Gpu } from '../../../runtime/Gpu.ts'
import { openChannel } from '../../../testing/openChannel.ts'
import { createMachinesHandler } from './serveMachines.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-machines-'))
afterAll(() => rmSync(folder, { recursive: true }))

const START = 1_800_000_000
const gpu = (id: string): Gpu => ({ ...{ id, vendor: 'nvidia', model: 'RTX 4090', memoryMb: 24_564 }, device: id, card: id })
const GPUS = [gpu('a'), gpu('b')]
const node = (id: bigint, orderId: bigint, nGPU: number) => ({ id, orderId, nCPU: 1, core: 4, nGPU })

/** Node 1 has both GPUs and an order, node 2 an order and no GPU, node 3 is idle. */
function machine(name: string) {
  let now = START
  const heat = new Map([['a', 61] as const, ['b', 84] as const])
  let nodes = [
    { node: node(1n, 11n, 2), gpus: ['a', 'b'] },
    { node: node(2n, 12n, 0), gpus: [] as string[] },
    { node: node(3n, 0n, 0), gpus: [] as string[] },
  ]
  const watch = {
    gpus: GPUS,
    readingOf: ({ id }: Gpu) => ({ usePercent: id === 'a' ? 96 : 40, celsius: heat.get(id as 'a') }) as never,
    slowsAtOf: () => 83,
    problemOf: (id: string) => (id === 'b' ? 'it is 96 °C hot' : undefined),
  }
  const ring = createUsageRing(join(folder, name))
  const records = createNodeRecords({
    ring,
    nodes: () => nodes.map((one) => ({ ...one, gpus: one.gpus.flatMap((id) => GPUS.find((other) => other.id === id) ?? []) })),
    readingOf: watch.readingOf,
    now: () => now,
  })
  const handler = createMachinesHandler({ version: '1.2.3', nodes: () => nodes, records, watch, now: () => now, liveMs: 1 })
  return {
    ring,
    /** Records the usage of both orders in ten seconds. */
    record(cores: number) {
      const point = { ...{ time: now, cores, processes: 1, memoryBytes: 2e9 }, receivedPerSecond: 0, sentPerSecond: 0, gpus: [] }
      records.record(new Map<bigint, UsagePoint>([11n, 12n].map((order) => [order, point])))
      now += RECORD_SECONDS
    },
    /** The provider removes all nodes but the first. */
    keepFirst() {
      nodes = nodes.slice(0, 1)
    },
    async ask(request: unknown, { count = Number.POSITIVE_INFINITY, orderId = MACHINES } = {}) {
      const channel = openChannel()
      const handled = handler(orderId, request, channel.channel).finally(channel.close)
      handled.catch(() => {})
      const frames: unknown[] = []
      for await (const frame of readFrames(channel.sent)) {
        frames.push(decodeJson(frame.payload))
        if (frames.length >= count) break
      }
      channel.close()
      await handled
      return frames as [MachinesHistory | MachinesNow, ...MachinesNow[]]
    },
  }
}

it('reports the usage of each node, and temperature, slowdown and problems of each GPU', async () => {
  const { record, ask } = machine('now')
  expect((await ask({}))[0]).toMatchObject({ type: 'now', version: '1.2.3', nodes: [{ nodeId: 1, gpus: [0, 1] }, {}, {}] })
  record(1)
  const [now] = await ask({})
  expect(now).toEqual({
    ...{ type: 'now', time: START + RECORD_SECONDS, version: '1.2.3' },
    gpus: [
      { model: 'RTX 4090', memoryMb: 24_564, usePercent: 96, celsius: 61, slowsAtCelsius: 83 },
      { model: 'RTX 4090', memoryMb: 24_564, usePercent: 40, celsius: 84, slowsAtCelsius: 83, problem: 'it is 96 °C hot' },
    ],
    nodes: [
      { nodeId: 1, use: 0.68, memoryBytes: 2e9, gpus: [0, 1] },
      { nodeId: 2, use: 0.25, memoryBytes: 2e9, gpus: [] },
      { nodeId: 3, use: 0, memoryBytes: 0, gpus: [] },
    ],
  })
  expect(await ask({ live: true }, { count: 3 })).toHaveLength(3)
})

it('keeps seven days of each node, even an idle one, and forgets removed nodes', async () => {
  const { record, ask, keepFirst, ring } = machine('history')
  for (const cores of [1, 2, 3]) record(cores)
  const history = { from: START, to: START + 1000, points: 1000 }
  const [answer] = await ask({ history })
  expect(answer).toEqual({
    type: 'history',
    nodes: [
      { nodeId: 1, points: [0, 10, 20].map((after) => ({ time: START + after, use: 0.68 })) },
      { nodeId: 2, points: [0.25, 0.5, 0.75].map((use, at) => ({ time: START + at * 10, use })) },
      { nodeId: 3, points: [0, 10, 20].map((after) => ({ time: START + after, use: 0 })) },
    ],
  })
  keepFirst()
  record(1)
  expect(ring.owners()).toEqual([1n])
})

it('is refused to renters, as are invalid requests', async () => {
  const { ask } = machine('refused')
  await expect(ask({}, { orderId: 12n })).rejects.toMatchObject({ code: 'workspace_unsupported' })
  for (const request of [null, { live: 1 }, { history: { from: 0, to: 1, points: 5000 } }, { more: 1 }])
    await expect(ask(request)).rejects.toMatchObject({ code: 'bad_request' })
})
