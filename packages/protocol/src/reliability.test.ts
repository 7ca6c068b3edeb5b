import { expect, test } from 'vitest'
import { readReliabilityRecord, reliabilityAnswer } from './reliability.ts'
import { zodOf } from './zodOf.ts'

const HASH = `0x${'ab'.repeat(32)}`
const TIMES = { from: 1_800_000_000, until: 1_800_000_600 }
const OUTAGE = {
  ...{ nodeId: 3, orderId: '18446744073709551615', ...TIMES, epochs: 2, announced: false, state: 'found' },
  ...{ finalAt: 1_800_086_400, agreed: 2, reported: 3, transactionHash: HASH },
}
const RELIABILITY = {
  ...{ failures: 1.5, observedDays: 12.5, seenDays: 3, countedDays: 2.5, outages: 1, brokenOrders: 0 },
  ...{ strip: '-'.repeat(90), day: 20_833 },
}
const BROKEN = { nodeId: 3, orderId: '12', time: 1_800_000_000, transactionHash: HASH }
const answer = (changes: object = {}) => ({
  ...{ reliability: RELIABILITY, monitored: true, outages: [OUTAGE], maintenance: [{ nodeId: 3, ...TIMES }] },
  ...{ maintenanceUsed: [{ nodeId: 3, from: TIMES.from, seconds: 600, pieces: 1 }], brokenOrders: [BROKEN], block: 7 },
  ...changes,
})

test('parses the evidence of a reliability, with order ids as bigint', () => {
  const record = readReliabilityRecord(zodOf(reliabilityAnswer).parse(answer()))
  expect(record).toEqual({
    ...answer(),
    outages: [{ ...OUTAGE, orderId: 2n ** 64n - 1n }],
    brokenOrders: [{ ...BROKEN, orderId: 12n }],
  })
  expect(readReliabilityRecord(answer({ reliability: null, maintenanceUsed: undefined }))).toMatchObject({ reliability: null })
})

test.each([
  ['nothing at all', {}, 'record.reliability'],
  ['failures that are no number', answer({ reliability: { ...RELIABILITY, failures: '1' } }), 'record.reliability.failures'],
  ['a strip of a million days', answer({ reliability: { ...RELIABILITY, strip: '-'.repeat(1e6) } }), 'record.reliability.strip'],
  ['perhaps monitored', answer({ monitored: 'yes' }), 'record.monitored'],
  ['an outage of an order that is none', answer({ outages: [{ ...OUTAGE, orderId: '0x1' }] }), 'record.outages.orderId'],
  ['an outage that ends after all time', answer({ outages: [{ ...OUTAGE, until: 1e15 }] }), 'record.outages.until'],
  ['an outage that is nearly final', answer({ outages: [{ ...OUTAGE, state: 'soon' }] }), 'record.outages.state'],
  ['maintenance that never begins', answer({ maintenance: [{ nodeId: 3, until: 5 }] }), 'record.maintenance.from'],
  ['maintenance without end', answer({ maintenance: Array(10_001) }), 'record.maintenance'],
  [
    'pieces in halves',
    answer({ maintenanceUsed: [{ nodeId: 3, from: 0, seconds: 1, pieces: 0.5 }] }),
    'record.maintenanceUsed.pieces',
  ],
  ['a broken order without a transaction', answer({ brokenOrders: [{ ...BROKEN, transactionHash: '' }] }), 'record.brokenOrders'],
])('%s is refused', (_, json, field) => expect(() => readReliabilityRecord(json)).toThrow(`cannot be read: ${field}`))
