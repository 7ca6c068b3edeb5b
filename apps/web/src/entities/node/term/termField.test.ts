import { expect, test } from 'vitest'
import { readTerm, stepTerm, termIn } from './termField.ts'

test.each([
  ['1', 'month', 2_592_000],
  [' 120 ', 'month', 311_040_000],
  ['007', 'day', 604_800],
  ['１２', 'hour', 43_200],
  ['1', 'hour', 3_600],
  ['3600', 'day', 311_040_000],
  ['3601', 'day', undefined],
  ['86401', 'hour', undefined],
  ['１．５', 'month', undefined],
  ['0', 'hour', undefined],
  ['121', 'month', undefined],
  ['1.5', 'day', undefined],
  ['-3', 'hour', undefined],
  ['1e1', 'hour', undefined],
  ['', 'month', undefined],
] as const)('parses %j of a %s as %s seconds', (text, unit, seconds) => expect(readTerm({ text, unit })).toBe(seconds))

test('steps by one unit within the bounds', () => {
  const more = (text: string, unit: 'hour' | 'day' | 'month' = 'month') => stepTerm({ text, unit }, 1)
  expect(['1', '５', '119', '120', '999', '', 'x'].map((text) => more(text))).toEqual(['2', '6', '120', '120', '120', '1', '1'])
  expect([more('23', 'hour'), more('86400', 'hour'), more('3600', 'day')]).toEqual(['24', '86400', '3600'])
  expect(['1', '5', '0', '999'].map((text) => stepTerm({ text, unit: 'month' }, -1))).toEqual(['1', '4', '1', '120'])
})

test.each([
  ['2h', '2 hour'],
  ['36h', '36 hour'],
  ['48h', '2 day'],
  ['1d12h', '36 hour'],
  ['3mo', '3 month'],
  ['30d', '1 month'],
  [null, '1 hour'],
  ['5min', '1 hour'],
  ['90min', '1 hour'],
  ['200mo', '1 hour'],
  ['next week', '1 hour'],
])('reads %j in an address as %s', (written, said) => {
  const { text, unit } = termIn(written)
  expect(`${text} ${unit}`).toBe(said)
})

test.each([
  [undefined, '1 hour'],
  [3_600, '1 hour'],
  [5_400, '2 hour'],
  [86_400, '1 day'],
  [90_000, '25 hour'],
  [604_800, '7 day'],
  [15_552_000, '6 month'],
  [Number.MAX_SAFE_INTEGER, '1 hour'],
])('begins at the shortest time of a machine: %s seconds are %s', (shortest, said) => {
  const { text, unit } = termIn(null, shortest)
  expect(`${text} ${unit}`).toBe(said)
  expect(termIn('3h', shortest)).toEqual({ text: '3', unit: 'hour' })
})
