import { expect, test } from 'vitest'
import { earningsAnswer, readEarningsHistory } from './earnings.ts'
import { zodOf } from './zodOf.ts'

const DAY = { day: 1_800_057_600, nodeId: 3, gross: '100', commission: '7' }
const answer = (day: object = {}) => ({ days: [{ ...DAY, ...day }], withdrawn: '9007199254740993', block: 7 })

test('parses earnings by node and day, in wei', () => {
  expect(readEarningsHistory(zodOf(earningsAnswer).parse(answer()))).toEqual({
    days: [{ day: 1_800_057_600, nodeId: 3, grossWei: 100n, commissionWei: 7n }],
    withdrawnWei: 9_007_199_254_740_993n,
    block: 7,
  })
})

test.each([
  ['a day that is no date', answer({ day: 8_640_000_000_001 }), 'earnings.days.day'],
  ['a node without a number', answer({ nodeId: null }), 'earnings.days.nodeId'],
  ['a negative amount', answer({ gross: '-100' }), 'earnings.days.gross'],
  ['a commission with a point', answer({ commission: '0.7' }), 'earnings.days.commission'],
  ['nothing that was withdrawn', { ...answer(), withdrawn: undefined }, 'earnings.withdrawn'],
  ['days without end', { ...answer(), days: Array(1_000_001) }, 'earnings.days'],
])('%s is refused', (_, json, field) => expect(() => readEarningsHistory(json)).toThrow(`cannot be read: ${field}`))
