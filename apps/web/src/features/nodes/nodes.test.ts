import { nodeSearchQuery } from '@rackfair/protocol/nodeQuery'
import { formatCredit } from '@rackfair/rules/money'
import { describe, expect, it } from 'vitest'
import { medianDifference } from '../../entities/node/medianDifference.ts'
import { filterChips, filterCount, withoutFilters } from './filterChips.ts'
import {
  alongOf,
  NO_FILTER,
  type NodeFilter,
  nodeQueryOf,
  readNodeFilter,
  toggleModel,
  toggleSort,
  understood,
  withUnit,
  writeNodeFilter,
} from './nodeFilter.ts'
import { edgesOfRange, priceEdges, rangeOfEdges, withRange } from './priceEdges.ts'

const full: NodeFilter = {
  text: 'helios',
  gpu: ['RTX 4090', 'RTX 3090'],
  cpu: ['Xeon E5, v4'],
  minGpus: 2,
  minVram: 24,
  minCores: 16,
  minMemory: 64,
  minDisk: 1000,
  minReliability: 75,
  minPledge: '100',
  minPrice: '90',
  maxPrice: '420.5',
  region: ['DE', 'EU', '142'],
  runs: 'stablediffusion',
  for: '1d12h',
  takes: ['own_images', 'ssh'],
  idle: true,
  online: true,
  verified: true,
  sort: '-memory',
  per: 'hour',
}

describe('filters in the URL', () => {
  it('are encoded and decoded unchanged', () => {
    expect(readNodeFilter(writeNodeFilter(full))).toEqual(full)
    expect(readNodeFilter(writeNodeFilter(NO_FILTER))).toEqual(NO_FILTER)
  })

  it('are empty without a choice', () => {
    expect(writeNodeFilter(NO_FILTER).toString()).toBe('')
    expect(nodeQueryOf(NO_FILTER)).toEqual({ sort: 'perGpu' })
  })

  it('become the platform’s query', () => {
    expect(nodeQueryOf(full)).toMatchObject({ gpu: 'RTX 4090,RTX 3090', minDisk: 1000, maxPrice: '420.5', sort: '-memory' })
  })

  it.each([
    'minMemory=-1',
    'minMemory=many',
    'maxPrice=1e9',
    'minPrice=-3',
    'sort=colour',
    'idle=yes',
    'verified=1',
    'gpu=,,',
    'takes=everything,',
    `text=${'%20'.repeat(5)}`,
  ])('ignore %s', (query) => expect(readNodeFilter(new URLSearchParams(query))).toEqual(NO_FILTER))

  it('are limited to what the platform accepts', () => {
    expect(readNodeFilter(new URLSearchParams(`text=${'x'.repeat(300)}`)).text).toHaveLength(160)
    expect(readNodeFilter(new URLSearchParams('minGpus=9999')).minGpus).toBe(4096)
    expect(readNodeFilter(new URLSearchParams('gpu=a,a,b')).gpu).toEqual(['a', 'b'])
    expect(readNodeFilter(new URLSearchParams(`gpu=a,${'x'.repeat(32)}`)).gpu).toEqual(['a'])
    const many = Array.from({ length: 20 }, (_, at) => `${at}${','.repeat(29)}`)
    const query = writeNodeFilter(readNodeFilter(writeNodeFilter({ ...NO_FILTER, gpu: many })))
    expect(nodeSearchQuery.parse(Object.fromEntries(query)).gpu).toHaveLength(10 * (1 + 29 * 3) + 9)
  })
})

describe('a sentence in the search field', () => {
  it('sets the filters that it names, and keeps the others', () => {
    const filter = understood({ ...full, text: '4x rtx 3090 helios under $95.21' })
    expect(filter).toEqual({ ...full, text: 'helios', minGpus: 4, maxPrice: '95.21' })
    expect(understood(filter)).toEqual(filter)
  })

  it.each([
    ['4090 for 2 hours', '&for=2h'],
    ['nginx 租一周', '&run=nginx&for=7d'],
    ['nginx', '&run=nginx'],
    ['4090 for a few hours', ''],
  ])('go along to the machine and its purchase: %s', (text, words) => {
    const filter = understood({ ...NO_FILTER, text })
    expect(alongOf(filter)).toBe(words)
    expect(alongOf(readNodeFilter(writeNodeFilter(filter)))).toBe(words)
  })
})

describe('chips', () => {
  it('name every choice and remove exactly one', () => {
    const chips = filterChips(full)
    expect(chips.map((chip) => chip.key)).toEqual([
      'text',
      'runs',
      'for',
      'idle',
      'online',
      'verified',
      'gpu-RTX 4090',
      'gpu-RTX 3090',
      'cpu-Xeon E5, v4',
      'region-DE',
      'region-EU',
      'region-142',
      'takes-own_images',
      'takes-ssh',
      'minGpus',
      'minVram',
      'minCores',
      'minMemory',
      'minDisk',
      'minReliability',
      'price',
      'minPledge',
    ])
    for (const chip of chips) expect(filterChips(chip.without)).toHaveLength(chips.length - 1)
  })

  it('count what the filters hold, not words, which stand in the search field', () =>
    expect(filterCount({ ...NO_FILTER, text: 'zebra', gpu: ['RTX 4090'], idle: true })).toBe(2))
  it('keep the sort order on clear all', () => {
    expect(withoutFilters(full)).toEqual({ ...NO_FILTER, sort: '-memory', per: 'hour' })
    expect(filterChips(withoutFilters(full))).toEqual([])
  })
})

describe('sorting and models', () => {
  it('reverses a column on the second click', () => {
    expect(toggleSort('price', 'memory')).toBe('memory')
    expect(toggleSort('memory', 'memory')).toBe('-memory')
    expect(toggleSort('-memory', 'memory')).toBe('memory')
  })
  it('keeps the sort key when the price unit changes', () => {
    expect(withUnit(NO_FILTER, 'hour')).toEqual({ ...NO_FILTER, per: 'hour', sort: 'price' })
    expect(withUnit({ ...NO_FILTER, per: 'month', sort: '-price' }, 'gpu').sort).toBe('-perGpu')
    expect(withUnit({ ...NO_FILTER, sort: 'memory' }, 'month').sort).toBe('memory')
  })
  it('adds and removes a model', () => {
    expect(toggleModel(['a'], 'b')).toEqual(['a', 'b'])
    expect(toggleModel(['a', 'b'], 'a')).toEqual(['b'])
  })
})

describe('difference to the median', () => {
  it('is a share of the median', () => {
    expect(medianDifference(88n, 100n)).toBe(-0.12)
    expect(medianDifference(118n * 10n ** 18n, 10n ** 20n)).toBeCloseTo(0.18)
  })
  it('is unknown without a median', () => {
    expect(medianDifference(88n, null)).toBeUndefined()
    expect(medianDifference(88n, 0n)).toBeUndefined()
  })
  it('counts as the same below half a percent', () => {
    expect([99_501n, 100_499n, 99_490n, 100_510n].map((unit) => medianDifference(unit, 100_000n))).toEqual([0, 0, -0.01, 0.01])
  })
})

describe('price range', () => {
  const usd = (amount: number) => BigInt(Math.round(amount * 1000)) * 10n ** 15n
  const histogram = [
    { fromWei: usd(90), toWei: usd(100.123), count: 2 },
    { fromWei: usd(100.123), toWei: usd(110.456), count: 0 },
    { fromWei: usd(110.456), toWei: usd(120), count: 5 },
  ]
  const edges = priceEdges(histogram)

  it('has one edge more than bars', () => {
    expect(edges).toHaveLength(4)
    expect(priceEdges([])).toEqual([])
  })
  it('is open at the outermost edges', () => expect(rangeOfEdges(edges, 0, 3)).toEqual({ minPrice: '', maxPrice: '' }))
  it('never excludes a machine from its own bar', () =>
    expect(rangeOfEdges(edges, 1, 2)).toEqual({ minPrice: '100.12', maxPrice: '110.46' }))
  it('keeps its position', () => {
    for (const [low, high] of [
      [0, 3],
      [1, 2],
      [2, 3],
      [0, 1],
    ] as const) {
      const { minPrice, maxPrice } = rangeOfEdges(edges, low, high)
      expect(edgesOfRange(edges, minPrice, maxPrice)).toEqual({ low, high })
    }
  })
  it.each([
    ['', '45.21', '0 to 45.21'],
    ['20', '45.21', '20 to 45.21'],
    ['150', '', '150 to 300'],
    ['150', '400', '150 to 300'],
    ['95', '', '90 to 120'],
  ])('widens for %s to %s, which no machine costs', (minPrice, maxPrice, shown) => {
    const wide = priceEdges(withRange(histogram, minPrice, maxPrice))
    const { low, high } = edgesOfRange(wide, minPrice, maxPrice)
    expect([wide[low], wide[high]].map((edge) => formatCredit(edge ?? 0n)).join(' to ')).toBe(shown)
    expect(wide).toEqual([...wide].sort((a, b) => (a < b ? -1 : 1)))
  })
  it('finds the edges of a range', () => {
    expect(edgesOfRange(edges, '', '')).toEqual({ low: 0, high: 3 })
    expect(edgesOfRange(edges, '105', '108')).toEqual({ low: 1, high: 2 })
    expect(edgesOfRange(edges, '5', '5000')).toEqual({ low: 0, high: 3 })
    expect(edgesOfRange([], '5', '50')).toEqual({ low: 0, high: 0 })
  })
})
