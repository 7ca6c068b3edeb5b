import { expect, test } from 'vitest'
import {
  address,
  amount,
  count,
  countTo,
  figure,
  flag,
  hash,
  id,
  listOf,
  optional,
  orNull,
  type Read,
  seconds,
  signature,
  textOf,
  wei,
} from './shape.ts'

const LAST_SECOND = 4_320_000_000_000
const HASH = `0x${'a9'.repeat(32)}`
const SIGNATURE = `0x${'a9'.repeat(65)}`

test.each<[string, Read<unknown>, unknown, unknown?]>([
  ['a count of none', count, 0],
  ['the greatest number that JSON represents exactly', count, 2 ** 53 - 1],
  ['a count at its limit', countTo(3), 3],
  ['the last second', seconds, LAST_SECOND],
  ['an amount of nothing', amount, 0],
  ['an amount that is a fraction', amount, 0.5],
  ['the lowest figure', figure, -LAST_SECOND],
  ['the greatest figure', figure, LAST_SECOND],
  ['the greatest sum in wei', wei, '9'.repeat(78), 10n ** 78n - 1n],
  ['order 0', id, '0', 0n],
  ['an address in mixed case', address, `0x${'aB'.repeat(20)}`, `0x${'ab'.repeat(20)}`],
  ['a hash', hash, HASH],
  ['a signature', signature, SIGNATURE],
  ['a text at its limit', textOf(3), 'abc'],
  ['a list at its limit', listOf(flag, 2), [true, false]],
  ['null where it may be', orNull(count), null],
  ['nothing where it may be', optional(count), undefined],
])('%s is read', (_, read, json, value = json) => expect(read(json, 'it')).toEqual(value))

/** JSON.parse reads 1e999 as infinity, and a regular expression takes a list of one text for that text. */
test.each<[string, Read<unknown>, unknown]>([
  ['a count above its limit', countTo(3), 4],
  ['the second after the last', seconds, LAST_SECOND + 1],
  ['an endless amount', amount, JSON.parse('1e999')],
  ['an amount that is a text', amount, '5'],
  ['a negative amount', amount, -0.5],
  ['an endless figure', figure, JSON.parse('-1e999')],
  ['a figure that is a text', figure, '-5'],
  ['a sum in a list', wei, ['5']],
  ['an id in a list', id, ['5']],
  ['an id of 21 digits', id, '1'.repeat(21)],
  ['an address in a list', address, [`0x${'ab'.repeat(20)}`]],
  ['a hash in a list', hash, [HASH]],
  ['no hash', hash, null],
  ['a hash in capitals', hash, HASH.toUpperCase().replace('X', 'x')],
  ['a hash without its prefix', hash, 'a9'.repeat(33)],
  ['a hash behind a space', hash, ` ${HASH.slice(0, -1)}`],
  ['a hash before a space', hash, `${HASH.slice(0, -1)} `],
  ['a hash that is short by a byte', hash, HASH.slice(0, -2)],
  ['a hash with a byte too many', hash, `${HASH}00`],
  ['a signature as long as a hash', signature, HASH],
  ['a text above its limit', textOf(3), 'abcd'],
  ['a list above its limit', listOf(flag, 2), [true, true, true]],
  ['nothing where null may be', orNull(count), undefined],
  ['null where nothing may be', optional(count), null],
])('%s is refused', (_, read, json) =>
  expect(() => read(json, 'it')).toThrow(expect.objectContaining({ code: 'answer_malformed', facts: { field: 'it' } })),
)
