import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { NodeSearchQuery } from '@rackfair/protocol/nodeQuery'
import type { NodeWire, ProviderTakes } from '@rackfair/protocol/nodes'
import type { VerificationWire } from '@rackfair/protocol/verification'
import { lowerCaseAddress } from '@rackfair/rules/address'
import type { NodeSort } from '@rackfair/rules/node/sort'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { modelPrices } from './modelPrices.ts'
import { nodeWireOf } from './nodeWireOf.ts'
import { rackOf } from './rackOf.ts'
import { runnable } from './runnable.ts'
import { SearchIndex } from './SearchIndex.ts'
import { searchEntryOf } from './searchEntryOf.ts'
import { BadCursor, searchNodes } from './searchNodes.ts'

const SORTS: NodeSort[] = [
  'price',
  '-price',
  'name',
  '-name',
  'cpu',
  '-gpu',
  'memory',
  '-storage',
  'activate',
  '-state',
  'newest',
  'perGpu',
  '-perGpu',
]

it('pages through every node once and in order, for any sort and page size', () => {
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
          const page = searchNodes(indexOf(nodes), { sort, limit, ...(cursor === undefined ? {} : { cursor }) })
          seen.push(...page.items.map((item) => item.id))
          cursor = page.next ?? undefined
        } while (cursor !== undefined)
        expect(seen).toEqual(searchNodes(indexOf(nodes), { sort, limit: 200 }).items.map((item) => item.id))
        expect([...seen].sort((a, b) => a - b)).toEqual(nodes.map(({ id }) => id))
      },
    ),
  )
})

it('counts models regardless of the chosen one, and puts all matching prices into at most 16 buckets', () => {
  const nodes = Array.from({ length: 30 }, (_, index) =>
    node(index + 1, { gpuModel: index % 3 === 0 ? 'RTX 4090' : 'RTX 3090', rate: BigInt(index) * 7n }),
  )
  const found = searchNodes(indexOf(nodes), { gpu: 'RTX 4090' })
  expect(found.total).toBe(10)
  expect(found.facets.gpu).toEqual([
    { value: 'RTX 3090', count: 20 },
    { value: 'RTX 4090', count: 10 },
  ])
  expect(found.histogram.length).toBeLessThanOrEqual(16)
  expect(found.histogram.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(10)
  expect(found.items[0]?.medianUnitRate).toBe(String(12n * 7n))
})

it('lists the most offered models only, however many are invented', () => {
  const invented = Array.from({ length: 600 }, (_, at) => node(at + 1, { gpuModel: `GPU ${at}` }))
  const nodes = [...invented, node(601, { gpuModel: 'RTX 4090' }), node(602, { gpuModel: 'RTX 4090' })]
  const { facets } = searchNodes(indexOf(nodes), {})
  expect(facets.gpu).toHaveLength(500)
  expect(facets.gpu[0]).toEqual({ value: 'RTX 4090', count: 2 })
  const prices = modelPrices(searchNodes(indexOf(nodes), { limit: 602 }).items).filter(({ kind }) => kind === 'gpu')
  expect(prices).toHaveLength(500)
  expect(prices[0]).toMatchObject({ model: 'RTX 4090', nodes: 2 })
})

it('keeps what it found in little memory, however many models a stranger invents', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const index = indexOf(Array.from({ length: 4_000 }, (_, at) => node(at + 1, { gpuModel: `GPU ${at}` })))
  const held = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = held()
  for (let search = 0; search < 100; search += 1) searchNodes(index, { minReliability: search / 100 })
  expect((held() - before) / 2 ** 20).toBeLessThan(24)
  expect(index.kept.size).toBe(100)
})

it('counts idle and online nodes regardless of these two filters', () => {
  const states = [
    { sold: false, online: true },
    { sold: false, online: false },
    { sold: true, online: true },
    { sold: true, online: false },
    { sold: true, online: true },
  ]
  const index = indexOf(states.map((state, at) => node(at + 1, { ...state, rate: BigInt(at + 1) * 10n ** 18n })))
  const counts = (query: Parameters<typeof searchNodes>[1]) => {
    const { total, facets } = searchNodes(index, query)
    return [total, facets.idle, facets.online]
  }
  expect(counts({})).toEqual([5, 2, 3])
  expect(counts({ idle: 'true' })).toEqual([2, 2, 1])
  expect(counts({ online: 'true' })).toEqual([3, 1, 3])
  expect(counts({ idle: 'false' })).toEqual([3, 2, 2])
  expect(counts({ idle: 'false', online: 'false', maxPrice: '4' })).toEqual([1, 1, 1])
})

it('finds verified nodes, and counts them regardless of that filter', () => {
  const passed: VerificationWire = {
    ...{ outcome: 'passed', hardwareClass: 2, verified: true, time: 1, agreed: 2, needed: 2 },
    ...{ memoryBytes: 2 ** 30, cores: 8, gpus: 0 },
  }
  const usd = (amount: bigint) => amount * 10n ** 18n
  const nodes = [
    node(1, { rate: usd(10n), verification: passed }),
    node(2, { rate: usd(20n), verification: { ...passed, verified: false } }),
    node(3, { rate: usd(30n), verification: passed, sold: true }),
    node(4, { rate: usd(40n) }),
  ]
  const found = (query: Parameters<typeof searchNodes>[1]) => {
    const { items, facets } = searchNodes(indexOf(nodes), query)
    return [items.map(({ id }) => id), facets.verified, facets.idle]
  }
  expect(found({})).toEqual([[1, 2, 3, 4], 2, 3])
  expect(found({ verified: 'true' })).toEqual([[1, 3], 2, 1])
  expect(found({ verified: 'true', idle: 'true' })).toEqual([[1], 1, 1])
  expect(found({ verified: 'true', minPrice: '15', maxPrice: '35' })).toEqual([[3], 1, 0])
})

it('counts models within the price range, but prices regardless of it', () => {
  const usd = (amount: bigint) => amount * 10n ** 18n
  const nodes = [
    node(1, { gpuModel: 'RTX 3080', rate: usd(60n) }),
    node(2, { gpuModel: 'RTX 3080', rate: usd(90n) }),
    node(3, { gpuModel: 'RTX 4090', rate: usd(80n) }),
    node(4, { gpuModel: 'RTX 4090', rate: usd(147n) }),
    node(5, { gpuModel: 'RTX 5090', rate: usd(400n) }),
  ]
  const found = searchNodes(indexOf(nodes), { gpu: 'RTX 4090', minPrice: '70', maxPrice: '95.21' })
  expect(found.items.map(({ id }) => id)).toEqual([3])
  expect(found.facets.gpu).toEqual([
    { value: 'RTX 3080', count: 1 },
    { value: 'RTX 4090', count: 1 },
  ])
  expect(found.histogram.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(2)
})

it('compares prices per GPU, or per processor where there is no GPU', () => {
  const nodes = [
    node(1, { nGPU: 4, rate: 532n }),
    node(2, { nGPU: 1, rate: 133n }),
    node(3, { nGPU: 2, rate: 300n }),
    node(4, { nGPU: 0, nCPU: 2, rate: 80n }),
    node(5, { nGPU: 0, nCPU: 1, rate: 50n }),
    node(6, { gpuModel: 'only one', rate: 9n }),
  ]
  const rates = searchNodes(indexOf(nodes), { limit: 10 }).items.map(({ id, unitRate, medianUnitRate }) => [
    id,
    unitRate,
    medianUnitRate,
  ])
  expect(rates.sort()).toEqual([
    [1, '133', '133'],
    [2, '133', '133'],
    [3, '150', '133'],
    [4, '40', '40'],
    [5, '50', '40'],
    [6, '9', null],
  ])
})

it('marks resources that a node lacks', () => {
  const marks = [node(1, { nMEM: 0 }), node(2, {})].map(({ lacks }) => lacks)
  expect(marks).toEqual([['memory'], undefined])
})

it('includes the bounds of the price range and of minimum resources', () => {
  const nodes = [
    node(1, { rate: 10n ** 18n }),
    node(2, { rate: 2n * 10n ** 18n, nMEM: 64 }),
    node(3, { rate: 3n * 10n ** 18n, sold: true }),
  ]
  const ids = (query: Parameters<typeof searchNodes>[1]) => searchNodes(indexOf(nodes), query).items.map((item) => item.id)
  expect(ids({ minPrice: '1', maxPrice: '2' })).toEqual([1, 2])
  expect(ids({ minMemory: 64 })).toEqual([2])
  expect(ids({ idle: 'true' })).toEqual([1, 2])
  expect(ids({ text: 'north-3' })).toEqual([3])
})

it('matches every word in any field, cores of all processors, and the memory of one GPU', () => {
  const nodes = [
    node(1, { gpuModel: 'RTX 4090' }),
    node(2, { gpuModel: 'A100 80GB', nGPU: 4 }),
    node(3, { gpuModel: 'A100' }),
    node(4, { gpuModel: 'Unheard-of' }),
    node(5, { gpuModel: 'RTX 4090', nGPU: 0 }),
  ]
  const ids = (query: Parameters<typeof searchNodes>[1]) =>
    searchNodes(indexOf(nodes), query)
      .items.map((item) => item.id)
      .sort()
  expect(ids({ text: '4090 xeon' })).toEqual([1])
  expect(ids({ text: 'north 80gb  a100' })).toEqual([2])
  expect(ids({ text: 'xeon epyc' })).toEqual([1, 2, 3, 4, 5])
  expect(ids({ minVram: 24 })).toEqual([1, 2, 3])
  expect(ids({ minVram: 80 })).toEqual([2])
  expect([ids({ minCores: 8 }).length, ids({ minCores: 9 }).length]).toEqual([5, 0])
})

it('finds a model by whatever name drivers, schedulers and other markets give it, in a sentence and as a filter', () => {
  const models = ['RTX 4090', 'NVIDIA GeForce RTX 4090 Laptop GPU', 'NVIDIA A100-SXM4-80GB', 'A100 PCIe 40GB', 'A100']
  const slice = 'A100-SXM4-80GB MIG 1g.10gb'
  const nodes = [...models, slice, 'MI300X'].map((gpuModel, at) => node(at + 1, { gpuModel, nGPU: at === 0 ? 2 : 1 }))
  const index = indexOf(nodes)
  const found = (query: Parameters<typeof searchNodes>[1]) =>
    searchNodes(index, query)
      .items.map(({ id }) => id)
      .sort()
  for (const name of ['4090', 'RTX4090', 'rtx 4090', 'RTX_4090', 'NVIDIA GeForce RTX 4090', 'rtx4090:2', '2x RTX 4090'])
    expect([found({ text: name }), found({ gpu: name })], name).toEqual([[1], [1]])
  expect([found({ gpu: 'rtx4090:3' }), found({ text: '3x4090' })]).toEqual([[], []])
  for (const name of ['NVIDIA A100-SXM4-80GB', 'A100_SXM4 80G', 'a100-80gb-sxm:1']) {
    expect(found({ gpu: name }), name).toEqual([3])
    expect(found({ text: name }), name).toEqual([3])
  }
  expect(found({ gpu: 'A100' })).toEqual([3, 4, 5])
  expect(found({ gpu: 'nvidia-a100-80gb' })).toEqual([3])
  expect(found({ gpu: 'RTX 4090 Laptop' })).toEqual([2])
  expect([found({ gpu: 'a100 mig' }), found({ text: 'NVIDIA-A100-SXM4-80GB-MIG-1g.10gb' })]).toEqual([[6], [6]])
  expect(found({ text: 'amd instinct mi300x' })).toEqual([7])
  expect(found({ minVram: 16, gpu: 'A100 MIG' })).toEqual([])
  // Both hold.
  expect(found({ text: 'A100', gpu: 'A100 PCIe' })).toEqual([4, 5])
  expect(searchNodes(index, {}).facets.gpu).toEqual(
    expect.arrayContaining([
      { value: 'A100', count: 3 },
      { value: 'A100 SXM 80GB', count: 1 },
      { value: 'A100 SXM 80GB MIG 1g.10gb', count: 1 },
    ]),
  )
})

it('shares a facet and a median between spellings of a model, and keeps variants apart', () => {
  const models = ['RTX 4090', 'nvidia geforce rtx 4090', 'RTX_4090', 'RTX 4090 Laptop', 'RTX 4090 D']
  const nodes = models.map((gpuModel, at) => node(at + 1, { gpuModel, rate: BigInt(at + 1) * 100n }))
  const { items, facets } = searchNodes(indexOf(nodes), {})
  expect(items.map(({ medianUnitRate }) => medianUnitRate)).toEqual(['200', '200', '200', null, null])
  expect(facets.gpu).toEqual([
    { value: 'RTX 4090', count: 3 },
    { value: 'RTX 4090 D', count: 1 },
    { value: 'RTX 4090 Laptop', count: 1 },
  ])
  expect(modelPrices(nodes).filter(({ kind }) => kind === 'gpu')).toMatchObject([
    { model: 'RTX 4090', nodes: 3 },
    { model: 'RTX 4090 Laptop', nodes: 1 },
    { model: 'RTX 4090 D', nodes: 1 },
  ])
})

it('prices only what can be bought now', () => {
  const usd = (amount: number) => BigInt(amount) * 10n ** 18n
  const nodes = [
    node(1, { rate: usd(300) }),
    node(2, { rate: usd(400) }),
    node(3, { rate: usd(100), online: false }),
    node(4, { rate: usd(110), sold: true }),
    node(5, { rate: usd(120), pledge: 0n }),
    node(6, { rate: usd(130), gpuModel: 'RTX 3090', online: false }),
  ]
  const [gpu, ...others] = modelPrices(nodes.map((wire) => ({ ...wire, gpu: { ...wire.gpu, priceMon: wire.ratePerMonth } })))
  expect(gpu).toEqual({
    ...{ kind: 'gpu', model: 'RTX 4090', nodes: 2, cheapestIdleRate: String(usd(300)) },
    ...{ minUnit: String(usd(300)), medianUnit: String(usd(300)) },
  })
  expect(others.filter(({ kind }) => kind === 'gpu')).toEqual([])
  expect(searchNodes(indexOf(nodes), {}).items.map(({ medianUnitRate }) => medianUnitRate)).toEqual([
    ...Array.from({ length: 3 }, () => String(usd(300))),
    null,
    ...Array.from({ length: 2 }, () => String(usd(300))),
  ])
})

it.each([
  [undefined, [1, 2, 3]],
  ['1h', [1]],
  ['2h', [1, 2]],
  ['1d', [1, 2, 3]],
])('finds what is sold for as little as %s, in the query and in words', (time, expected) => {
  const nodes = [3_600, 5_400, 86_400].map((minTerm, at) => node(at + 1, { minTerm }))
  const ids = (query: NodeSearchQuery) => searchNodes(indexOf(nodes), query).items.map(({ id }) => id)
  expect(ids(time === undefined ? {} : { for: time })).toEqual(expected)
  expect(ids(time === undefined ? {} : { text: `RTX 4090 for ${time.replace('d', ' day')}` })).toEqual(expected)
  // Of two times the longer one is wanted.
  if (time !== undefined) expect(ids({ for: time, text: '4090 for 1 hour' })).toEqual(expected)
})

it('reads a sentence, ignores words that no node has, and says so', () => {
  const nodes = [node(1, { rate: 10n ** 18n }), node(2, { rate: 2n * 10n ** 18n, nMEM: 64 }), node(3, { gpuModel: 'RTX 3090' })]
  const found = (text: string) => {
    const { items, ignored } = searchNodes(indexOf(nodes), { text })
    return [items.map(({ id }) => id), ignored]
  }
  expect(found('RTX 4090, 64 GB, under $3')).toEqual([[2], []])
  expect(found('linux vps near Frankfurt')).toEqual([
    [3, 1, 2],
    ['linux', 'vps', 'near', 'Frankfurt'],
  ])
  expect(found('4090 for 2 hours to play minecraft')).toEqual([
    [1, 2],
    ['play', 'minecraft'],
  ])
  expect(found('north-3 blorp')).toEqual([[3], ['blorp']])
})

it('finds the machines that can run an application, combined with other filters', () => {
  const needs = {
    ...{ name: 'sdnext', image: 'docker.io/acme/sdnext', access: 'owner' as const },
    ...{ nGPU: 1, vram: 0, cpu: 4, mem: 16, disk: 80, ports: [] },
  }
  const nodes = [
    node(1, { nGPU: 1, nMEM: 16 }),
    node(2, { nGPU: 0, nMEM: 16 }),
    node(3, { nGPU: 1, nMEM: 15 }),
    { ...node(4, { nGPU: 1, nMEM: 16 }), disk: { priceMon: '0', priceSec: '0', num: 79 } },
    { ...node(5, { nGPU: 1, nMEM: 64 }), takes: ['ssh' as const] },
    { ...node(6, { nGPU: 1, nMEM: 64 }), takes: ['protected' as const] },
    { ...node(7, { nGPU: 1, nMEM: 16 }), ready: ['nginx'] },
    { ...node(8, { nGPU: 1, nMEM: 15 }), ready: ['sdnext'] },
  ]
  const ids = (query: Parameters<typeof searchNodes>[1], app: Parameters<typeof searchNodes>[2]) =>
    searchNodes(indexOf(nodes), query, app)
      .items.map((item) => item.id)
      .sort()
  expect(ids({ runs: 'stablediffusion' }, needs)).toEqual([1, 6])
  expect(ids({ runs: 'stablediffusion' }, { ...needs, access: 'public' })).toEqual([1, 5, 6])
  expect(ids({ runs: 'stablediffusion', minMemory: 64 }, needs)).toEqual([6])
  expect(ids({ runs: 'stablediffusion' }, { ...needs, cpu: 9 })).toEqual([])
  expect(ids({ runs: 'stablediffusion' }, { ...needs, mem: 15 })).toEqual([1, 3, 6, 8])
  // Each GPU has 24 GB; a provider that opens no ports says so.
  expect(ids({ runs: 'stablediffusion' }, { ...needs, vram: 24 })).toEqual([1, 6])
  expect(ids({ runs: 'stablediffusion' }, { ...needs, vram: 25 })).toEqual([])
  const ports = [{ protocol: 'tcp' as const, port: 5432 }]
  expect(ids({ runs: 'stablediffusion' }, { ...needs, access: 'public', ports })).toEqual([1])
  // What agents build themselves, they have after their first deploy of it.
  const built = { ...needs, name: 'apache', image: 'localhost/rackfair/apache' }
  expect(ids({ runs: 'apache' }, built)).toEqual([1, 6, 7])
  expect(searchNodes(indexOf(nodes), { runs: 'stablediffusion', idle: 'true' }, needs).facets.online).toBe(2)

  const nowhere = { ...needs, name: 'huge', nGPU: 64 }
  expect(runnable(indexOf(nodes), [needs, nowhere, built])).toEqual(['sdnext', 'apache'])
  const rented = nodes.map((one) => ({ ...one, sold: true }))
  expect(runnable(indexOf(rented), [needs, built])).toEqual([])
})

it('sorts by the price per GPU, with machines without a GPU last in both directions', () => {
  const nodes = [
    node(1, { nGPU: 1, rate: 100n }),
    node(2, { nGPU: 4, rate: 300n }),
    node(3, { nGPU: 0, rate: 1n }),
    node(4, { nGPU: 2, rate: 240n }),
  ]
  const ids = (sort: NodeSort) => searchNodes(indexOf(nodes), { sort }).items.map((item) => item.id)
  expect([ids('perGpu'), ids('-perGpu')]).toEqual([
    [2, 1, 4, 3],
    [4, 1, 2, 3],
  ])
})

it('sorts idle nodes first by state and online ones first by activate, and reverses both', () => {
  const nodes = [node(1, { sold: true }), node(2, {}), node(3, { sold: true, online: false }), node(4, { online: false })]
  const ids = (sort: NodeSort) => searchNodes(indexOf(nodes), { sort }).items.map((item) => item.id)
  expect([ids('state'), ids('-state'), ids('activate'), ids('-activate')]).toEqual([
    [2, 4, 1, 3],
    [1, 3, 2, 4],
    [1, 2, 3, 4],
    [3, 4, 1, 2],
  ])
})

it('equals a freshly built index after any changes', () => {
  const change = fc.array(fc.record({ id: fc.integer({ min: 1, max: 12 }), rate: fc.bigInt(0n, 2n ** 60n), nGPU: fc.nat(2) }))
  fc.assert(
    fc.property(fc.array(change, { minLength: 2, maxLength: 5 }), fc.constantFrom(...SORTS), (states, sort) => {
      let index: SearchIndex | undefined
      for (const state of states) {
        const nodes = [...new Map(state.map(({ id, ...rest }) => [id, node(id, rest)])).values()]
        const entries = nodes.map((wire) => searchEntryOf(wire, wire.id))
        index = new SearchIndex(entries, index)
        expect(searchNodes(index, { sort })).toEqual(searchNodes(new SearchIndex(entries), { sort }))
      }
    }),
  )
})

it('lists the newest first, and continues after a node that was removed', () => {
  const nodes = Array.from({ length: 6 }, (_, index) => node(index + 1, {}))
  const first = searchNodes(indexOf(nodes), { sort: 'newest', limit: 3 })
  expect(first.items.map(({ id }) => id)).toEqual([6, 5, 4])
  const left = indexOf(nodes.filter(({ id }) => id !== 4))
  expect(searchNodes(left, { sort: 'newest', cursor: first.next ?? '' }).items.map(({ id }) => id)).toEqual([3, 2, 1])
})

it('finds nodes that take all requested kinds, and none that has not declared any', () => {
  const all: ProviderTakes = { ownImages: { maxGb: 40 }, ports: true, ssh: true, protected: true, runtimes: ['runc'] }
  const nodes = [
    node(1, {}),
    node(2, { takes: { ...all, runtimes: ['runc', 'runsc'] } }),
    node(3, { takes: { ...all, ssh: false, protected: false } }),
    node(4, { takes: { ...all, ownImages: null, ports: false } }),
  ]
  const idsOf = (takes: string) => searchNodes(indexOf(nodes), { takes }).items.map(({ id }) => id)
  expect(idsOf('')).toEqual([1, 2, 3, 4])
  expect(idsOf('own_images')).toEqual([2, 3])
  expect(idsOf('ssh')).toEqual([2, 4])
  expect(idsOf('gvisor')).toEqual([2])
  expect(idsOf('own_images,ports,ssh')).toEqual([2])
  expect(idsOf('protected')).toEqual([2, 4])
  expect(idsOf('what nobody has')).toEqual([])
})

it('finds nodes by the driver that was read and the country that was stated, and none without them', () => {
  const nodes = [
    node(1, {}),
    node(2, { region: 'DE', driver: '550.90.07' }),
    node(3, { region: 'FR', driver: '535.183' }),
    node(4, { region: 'DE', driver: '550.90.07', nGPU: 0 }),
  ]
  expect(nodes.map(({ region, driver }) => [region, driver])).toEqual([
    [undefined, undefined],
    ['DE', '550.90.07'],
    ['FR', '535.183'],
    ['DE', undefined],
  ])
  const idsOf = (query: Parameters<typeof searchNodes>[1]) => searchNodes(indexOf(nodes), query).items.map(({ id }) => id)
  expect(idsOf({ region: 'DE' })).toEqual([2, 4])
  expect(idsOf({ region: 'DE,FR' })).toEqual([2, 3, 4])
  expect(idsOf({ region: 'US' })).toEqual([])
  expect([idsOf({ region: 'EU' }), idsOf({ region: '150,US' }), idsOf({ region: '142' })]).toEqual([[2, 3, 4], [2, 3, 4], []])
  expect([idsOf({ text: 'in germany' }), idsOf({ text: '法国的机器' }), idsOf({ text: 'asia' })]).toEqual([[2, 4], [3], []])
  // What the sentence says holds besides what is asked for.
  expect(idsOf({ text: 'in europe', region: 'DE' })).toEqual([2, 4])
  expect(idsOf({ text: 'in france', region: 'DE' })).toEqual([])
  const { facets } = searchNodes(indexOf(nodes), { region: 'FR', minDriver: '1' })
  expect(facets.region).toEqual([
    { value: 'DE', count: 1 },
    { value: 'FR', count: 1 },
  ])
  expect(idsOf({ minDriver: '535' })).toEqual([2, 3])
  expect(idsOf({ minDriver: '550', region: 'DE' })).toEqual([2])
  expect(idsOf({ minDriver: '551' })).toEqual([])
})

it('marks sample hardware in the list and in the rack', () => {
  const index = indexOf([node(1, { sample: true }), node(2, {})])
  expect(searchNodes(index, {}).items.map(({ id, sample }) => [id, sample])).toEqual([
    [1, true],
    [2, undefined],
  ])
  expect(rackOf(index).map(({ id, sample }) => [id, sample])).toEqual([
    [1, true],
    [2, undefined],
  ])
})

it('refuses a foreign cursor', () => {
  for (const cursor of [
    '',
    'x',
    'WzFd',
    Buffer.from('["price","abc","k"]').toString('base64url'),
    Buffer.from('["name","a","k"]').toString('base64url'),
  ]) {
    expect(() => searchNodes(indexOf([node(1, {})]), { cursor })).toThrow(BadCursor)
  }
})

function indexOf(nodes: readonly NodeWire[]): SearchIndex {
  return new SearchIndex(nodes.map((wire) => searchEntryOf(wire, wire.id)))
}

function node(
  id: number,
  change: {
    gpuModel?: string
    nGPU?: number
    nCPU?: number
    nMEM?: number
    rate?: bigint
    sold?: boolean
    online?: boolean
    pledge?: bigint
    takes?: ProviderTakes
    sample?: true
    region?: string
    driver?: string
    verification?: VerificationWire
    minTerm?: number
  },
): NodeWire {
  const {
    gpuModel = 'RTX 4090',
    nGPU = 1,
    nCPU = 1,
    nMEM = 16,
    rate = 1n,
    sold = false,
    online = true,
    pledge = 10n ** 24n,
    takes,
    sample,
    region,
    driver,
    verification,
    minTerm = 0,
  } = change
  const row = {
    cp: lowerCaseAddress('0xa'),
    id,
    cpuModel: 'Xeon',
    gpuModel,
    nCPU,
    core: 8,
    nGPU,
    nMEM,
    nDISK: 100,
    pCPU: '1',
    pGPU: '1',
    pMEM: '1',
    pDISK: '1',
  }
  const state = { rate: String(rate), rev: 1, orderId: sold ? 7 : 0, exist: 1, avail: 0, online: 1, addedTime: id, minTerm }
  return nodeWireOf(
    { ...row, ...state },
    {
      providerName: 'north',
      pledge: String(pledge),
      pledgeLocked: '0',
      penalty: 86_400,
      soldUntil: null,
      offlineSince: null,
      heard: online,
      oversold: [],
      machine: { cores: 64, memoryGb: 512, diskGb: 4000, gpus: 8, takes, sample, region, driver },
      reliability: undefined,
      verification,
    },
  )
}
