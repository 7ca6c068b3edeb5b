import { expect, test } from 'vitest'
import { pledgeHistoryAnswer, readPledgeHistory } from './pledge.ts'
import { zodOf } from './zodOf.ts'

const POINT = { time: 1_800_000_000, pledged: '5', locked: '2', earned: '3', withdrawn: '1' }
const MOVE = { time: 1_800_000_000, kind: 'pledged', amount: '5', block: 4, transactionHash: `0x${'ab'.repeat(32)}` }
const answer = (point: object = {}, move: object = {}) => ({
  ...{ points: [{ ...POINT, ...point }], moves: [{ ...MOVE, ...move }], block: 7 },
})

test('parses a pledge over time in wei, with what changed it', () => {
  expect(readPledgeHistory(zodOf(pledgeHistoryAnswer).parse(answer()))).toEqual({
    points: [{ time: 1_800_000_000, pledgedWei: 5n, lockedWei: 2n, earnedWei: 3n, withdrawnWei: 1n }],
    moves: [{ time: 1_800_000_000, kind: 'pledged', amountWei: 5n, block: 4, transactionHash: MOVE.transactionHash }],
    block: 7,
  })
})

test.each([
  ['a time that is no date', answer({ time: 2 ** 60 }), 'pledge.points.time'],
  ['an amount that is a number', answer({ pledged: 5 }), 'pledge.points.pledged'],
  ['less than nothing locked', answer({ locked: '-2' }), 'pledge.points.locked'],
  ['interest of 79 digits', answer({ earned: '9'.repeat(79) }), 'pledge.points.earned'],
  ['a move that nobody knows', answer({}, { kind: 'burned' }), 'pledge.moves.kind'],
  ['a move of no amount', answer({}, { amount: null }), 'pledge.moves.amount'],
  ['half a hash', answer({}, { transactionHash: '0xab' }), 'pledge.moves.transactionHash'],
  ['moves without end', { ...answer(), moves: Array(10_001) }, 'pledge.moves'],
  ['points in an object', { ...answer(), points: { 0: POINT, length: 1 } }, 'pledge.points'],
])('%s is refused', (_, json, field) => expect(() => readPledgeHistory(json)).toThrow(`cannot be read: ${field}`))
