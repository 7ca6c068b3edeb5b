import { lowerCaseAddress } from '@rackfair/rules/address'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChainNode } from '../chain/read/chainView.ts'
import type { OutboxCall } from '../chain/transactions/outboxCalls.ts'
import { type AgentDb, openAgentDb } from '../db/openAgentDb.ts'
import { sayingLog } from '../foundation/log.ts'
import { createGpuWatch } from '../machine/gpu/createGpuWatch.ts'
import type { Gpu } from '../runtime/Gpu.ts'
import { keepGpuNodes } from './gpuNodes.ts'

const gpu = (id: string, model: string): Gpu => ({ ...{ id, vendor: 'nvidia', model, memoryMb: 0 }, device: id, card: id })
const GPUS = [gpu('a', 'RTX 4090'), gpu('b', 'RTX 4090'), gpu('c', 'RTX 3090')]

describe('a node with a failed GPU', () => {
  let state: AgentDb
  let wanted: string[]
  let said: string[]
  let oversell: boolean
  let watch: ReturnType<typeof createGpuWatch>
  let keep: ReturnType<typeof keepGpuNodes>
  beforeEach(() => {
    state = openAgentDb(':memory:')
    wanted = []
    said = []
    oversell = false
    start()
  })
  afterEach(() => state.close())

  const start = () => {
    const log = sayingLog((message) => said.push(message))
    watch = createGpuWatch({ gpus: GPUS, log, onChange: () => {} })
    const enqueue = (call: OutboxCall) => {
      if (call.kind === 'setOnline') wanted.push(`${call.nodeId} ${call.online}`)
    }
    const outbox = { enqueue, flush: async () => {}, told: () => undefined, stop: () => {} }
    keep = keepGpuNodes({ state, outbox, gpus: watch, oversell, log })
  }
  const node = (id: bigint, nGPU: number, gpuModel: string, more: Partial<ChainNode> = {}) =>
    ({ id, nGPU, gpuModel, online: true, orderId: 0n, ...more }) as ChainNode
  const run = (orderId: bigint, gpus: string[]) =>
    state.putCommand({
      ...{ orderId, deployId: 2, deploymentId: 'd', user: lowerCaseAddress('0x'), time: 1, env: {}, slot: Number(orderId), gpus },
      ...{ hasRun: true, endedAt: undefined },
    })
  const reconcile = (...nodes: ChainNode[]) => {
    wanted.length = 0
    keep(nodes)
    return [...wanted]
  }

  it('leaves the market, and returns only after the agent has retested the card', () => {
    const nodes = [node(1n, 2, 'RTX 4090'), node(2n, 1, 'RTX 3090'), node(3n, 0, '')]
    expect(reconcile(...nodes)).toEqual([])
    watch.fault(GPUS[1] as Gpu, 'it does not start')
    expect(reconcile(...nodes)).toEqual(['1 false'])
    expect(said).toContain('a node has no working GPU and is taken off the market')
    const off = { online: false }
    expect(reconcile(node(1n, 2, 'RTX 4090', off), node(2n, 1, 'RTX 3090'))).toEqual([])
    start()
    expect(reconcile(node(1n, 2, 'RTX 4090', off), node(2n, 1, 'RTX 3090', off))).toEqual(['1 true'])
    expect(reconcile(node(1n, 2, 'RTX 4090'), node(2n, 1, 'RTX 3090', off))).toEqual([])
    expect(reconcile(node(1n, 2, 'RTX 4090', off), node(2n, 1, 'RTX 3090', off))).toEqual([])
  })

  it('is the one whose order has the card, or the last without a card', () => {
    run(7n, ['a'])
    const nodes = [node(1n, 1, 'RTX 4090'), node(2n, 1, 'RTX 4090', { orderId: 7n })]
    watch.fault(GPUS[0] as Gpu, 'broken')
    expect(reconcile(...nodes)).toEqual(['2 false'])
    watch.fault(GPUS[1] as Gpu, 'broken')
    expect(reconcile(...nodes).sort()).toEqual(['1 false', '2 false'])
  })

  it('is every node that sells more cards than exist', () => {
    const nodes = [node(1n, 2, 'RTX 4090'), node(2n, 1, 'RTX 4090'), node(3n, 1, 'a name of mine')]
    expect(reconcile(...nodes)).toEqual(['2 false'])
  })

  it('is none while all cards work and the provider oversells on purpose', () => {
    oversell = true
    start()
    expect(reconcile(node(1n, 5, 'RTX 4090'))).toEqual([])
    watch.fault(GPUS[0] as Gpu, 'broken')
    expect(reconcile(node(1n, 5, 'RTX 4090'))).toEqual(['1 false'])
  })
})
