import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { describe, expect, test } from 'vitest'
import { nodeSearchAnswer, rackAnswer, readNodeOffer, readNodeSearch, readPrices, readRack } from './nodes.ts'
import { zodOf } from './zodOf.ts'

const page = (changes: Record<string, unknown> = {}) => ({
  items: [nodeAnswer()],
  next: null,
  total: 1,
  facets: { gpu: [{ value: 'RTX 4090', count: 1 }], cpu: [], idle: 1, online: 1, verified: 0 },
  histogram: [{ from: '0', to: '158', count: 1 }],
  ignored: ['linux'],
  block: 7,
  ...changes,
})

test('parses a node into the names of the glossary, with bigint amounts and a lower-case provider', () => {
  const node = readNodeOffer(nodeAnswer({ cp: '0x00000000000000000000000000000000000000BB', medianUnitRate: '9007199254740993' }))
  expect(node).toMatchObject({
    provider: '0x00000000000000000000000000000000000000bb',
    nodeId: 3,
    name: 'helios-3',
    cpu: { model: 'EPYC 7402', count: 4, cores: 8 },
    gpu: { model: 'RTX 4090', count: 1 },
    memoryGb: 64,
    diskGb: 1500,
    ratePerMonthWei: 158n * 10n ** 18n,
    medianUnitRateWei: 9_007_199_254_740_993n,
    prices: { pCPU: 5n * 10n ** 18n, pGPU: 74n * 10n ** 18n, pMEM: 10n ** 18n, pDISK: 0n },
    orderId: 0n,
    sample: false,
  })
  expect(node.oversold).toBeUndefined()
})

test('parses every page that the platform’s schema accepts', () => {
  const answer = zodOf(nodeSearchAnswer).parse(page())
  const read = readNodeSearch(answer)
  expect(read.nodes.map(({ name }) => name)).toEqual(['helios-3'])
  expect(read).toMatchObject({
    total: 1,
    next: null,
    ignored: ['linux'],
    histogram: [{ fromWei: 0n, toWei: 158n, count: 1 }],
    block: 7,
  })
  expect(read.facets).toEqual({ gpu: [{ value: 'RTX 4090', count: 1 }], cpu: [], region: [], idle: 1, online: 1, verified: 0 })
})

describe('a malformed node is refused', () => {
  test.each([
    ['no object', null, 'node'],
    ['a list', [], 'node'],
    ['without its provider', { ...nodeAnswer(), cp: undefined }, 'node.cp'],
    ['of a short address', nodeAnswer({ cp: '0xbb' }), 'node.cp'],
    ['of a number that is a text', { ...nodeAnswer(), id: '3' }, 'node.id'],
    ['of a fraction', nodeAnswer({ id: 1.5 }), 'node.id'],
    ['of a negative number', nodeAnswer({ rev: -1 }), 'node.rev'],
    ['of more than JSON holds', nodeAnswer({ rev: 2 ** 53 }), 'node.rev'],
    ['of a negative price', nodeAnswer({ ratePerMonth: '-1' }), 'node.ratePerMonth'],
    ['of a price in hexadecimal', nodeAnswer({ ratePerMonth: '0x10' }), 'node.ratePerMonth'],
    ['of a price that is a number', { ...nodeAnswer(), ratePerMonth: 158 }, 'node.ratePerMonth'],
    ['of an empty price', nodeAnswer({ ratePerMonth: '' }), 'node.ratePerMonth'],
    ['of a price of 79 digits', nodeAnswer({ ratePerMonth: '9'.repeat(79) }), 'node.ratePerMonth'],
    ['of a price with a line break', nodeAnswer({ ratePerMonth: '1\n' }), 'node.ratePerMonth'],
    ['of a name of a million characters', nodeAnswer({ nodename: 'x'.repeat(1_000_000) }), 'node.nodename'],
    ['sold perhaps', { ...nodeAnswer(), sold: 'no' }, 'node.sold'],
    ['of parts that are unknown', { ...nodeAnswer(), oversold: ['roof'] }, 'node.oversold'],
    ['of a part without a price', { ...nodeAnswer(), mem: { num: 64 } }, 'node.mem.priceMon'],
    ['of a reliability that is not finite', { ...nodeAnswer(), reliability: { failures: null } }, 'node.reliability.failures'],
    ['of fields that only a prototype has', Object.create(nodeAnswer()), 'node.cpu'],
  ])('%s', (_, json, field) => {
    expect(() => readNodeOffer(json)).toThrow(expect.objectContaining({ code: 'answer_malformed', facts: expect.anything() }))
    try {
      readNodeOffer(json)
    } catch (error) {
      expect((error as { facts: { field: string } }).facts.field).toMatch(new RegExp(`^${field}`))
    }
  })

  test('as is a page of more than ten thousand', () =>
    expect(() => readNodeSearch(page({ items: Array(10_001).fill(nodeAnswer()) }))).toThrow(/nodes.items is not a list/))
})

test('parses a row of the rack for each node, and a sample only if it is marked as one', () => {
  const node = {
    ...{ cp: '0x00000000000000000000000000000000000000BB', id: 3, nodename: 'helios-3', state: 'idle', mem: 64, disk: 1500 },
    ...{ gpu: 'RTX 4090', nGPU: 1, cpu: 'EPYC 7402', nCPU: 4, ratePerMonth: '158', unitRate: '79', medianUnitRate: null },
  }
  const slot = {
    ...{ provider: '0x00000000000000000000000000000000000000bb', nodeId: 3, name: 'helios-3', state: 'idle' },
    ...{ gpu: { model: 'RTX 4090', count: 1 }, cpu: { model: 'EPYC 7402', count: 4 }, memoryGb: 64, diskGb: 1500 },
    ...{ ratePerMonthWei: 158n, unitRateWei: 79n, medianUnitRateWei: null, sample: false },
  }
  const slots = [node, { ...node, medianUnitRate: '80', sample: true }]
  expect(readRack(zodOf(rackAnswer).parse({ slots, total: 5, block: 7, blockTime: 1_800_000_000 }))).toEqual({
    ...{ slots: [slot, { ...slot, medianUnitRateWei: 80n, sample: true }], total: 5, block: 7, blockTime: 1_800_000_000 },
  })
})

test('refuses prices or the rack because of one wrong entry, and names it', () => {
  const price = { kind: 'gpu', model: 'T4', nodes: 1, minUnit: '1', medianUnit: '2', cheapestIdleRate: null }
  expect(readPrices({ models: [price] })[0]).toMatchObject({ minUnitWei: 1n, medianUnitWei: 2n, cheapestIdleWei: null })
  expect(() => readPrices({ models: [price, { ...price, kind: 'fpga' }] })).toThrow(/prices.models.kind/)
  expect(() => readRack({ slots: {}, total: 0, block: 1, blockTime: 1 })).toThrow(/rack.slots/)
})
