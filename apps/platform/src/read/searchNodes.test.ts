import type { NodeSort, NodeWire } from '@rackfair/core/wire'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeWireOf } from './nodeWireOf.ts'
import { BadCursor, searchNodes } from './searchNodes.ts'

const SORTS: NodeSort[] = ['price', '-price', 'name', '-name', 'cpu', '-gpu', 'memory', '-storage', 'newest']

it('pages through every node once, in order, whatever the sort and the size of a page', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { maxLength: 40 }),
      fc.constantFrom(...SORTS),
      fc.integer({ min: 1, max: 7 }),
      (draws, sort, limit) => {
        const nodes = draws.map((draw, index) => node(index + 1, { nMEM: draw * 16, nGPU: draw % 3, rate: BigInt(draw) }))
        const seen: number[] = []
        let cursor: string | undefined
        do {
          const page = searchNodes(nodes, { sort, limit, ...(cursor === undefined ? {} : { cursor }) })
          seen.push(...page.items.map((item) => item.id))
          cursor = page.next ?? undefined
        } while (cursor !== undefined)
        expect(seen).toEqual(searchNodes(nodes, { sort, limit: 200 }).items.map((item) => item.id))
        expect([...seen].sort((a, b) => a - b)).toEqual(nodes.map(({ id }) => id))
      },
    ),
  )
})

it('counts what another choice of model would leave, and spreads prices over at most 16 buckets that hold every match', () => {
  const nodes = Array.from({ length: 30 }, (_, index) =>
    node(index + 1, { gpuModel: index % 3 === 0 ? 'RTX 4090' : 'RTX 3090', rate: BigInt(index) * 7n }),
  )
  const found = searchNodes(nodes, { gpu: 'RTX 4090' })
  expect(found.total).toBe(10)
  expect(found.facets.gpu).toEqual([
    { value: 'RTX 3090', count: 20 },
    { value: 'RTX 4090', count: 10 },
  ])
  expect(found.histogram.length).toBeLessThanOrEqual(16)
  expect(found.histogram.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(10)
  expect(found.items[0]?.medianRate).toBe(String(12n * 7n))
})

it('keeps the bounds of a price range and of what is asked for at least', () => {
  const nodes = [
    node(1, { rate: 10n ** 18n }),
    node(2, { rate: 2n * 10n ** 18n, nMEM: 64 }),
    node(3, { rate: 3n * 10n ** 18n, sold: true }),
  ]
  const ids = (query: Parameters<typeof searchNodes>[1]) => searchNodes(nodes, query).items.map((item) => item.id)
  expect(ids({ minPrice: '1', maxPrice: '2' })).toEqual([1, 2])
  expect(ids({ minMemory: 64 })).toEqual([2])
  expect(ids({ idle: 'true' })).toEqual([1, 2])
  expect(ids({ text: 'north-3' })).toEqual([3])
})

it('refuses a cursor that it did not give out', () => {
  for (const cursor of [
    '',
    'x',
    'WzFd',
    Buffer.from('["price","abc","k"]').toString('base64url'),
    Buffer.from('["name","a","k"]').toString('base64url'),
  ]) {
    expect(() => searchNodes([node(1, {})], { cursor })).toThrow(BadCursor)
  }
})

function node(id: number, change: { gpuModel?: string; nGPU?: number; nMEM?: number; rate?: bigint; sold?: boolean }): NodeWire {
  const { gpuModel = 'RTX 4090', nGPU = 1, nMEM = 16, rate = 1n, sold = false } = change
  const row = {
    cp: '0xa',
    id,
    cpuModel: 'Xeon',
    gpuModel,
    nCPU: 1,
    core: 8,
    nGPU,
    nMEM,
    nDISK: 100,
    pCPU: '1',
    pGPU: '1',
    pMEM: '1',
    pDISK: '1',
  }
  const state = { rate: String(rate), rev: 1, orderId: sold ? 7 : 0, exist: 1, avail: 0, online: 1, addedTime: id }
  return nodeWireOf({ ...row, ...state }, { providerName: 'north', pledge: '0', soldUntil: null, lastSeen: null, heard: true })
}
