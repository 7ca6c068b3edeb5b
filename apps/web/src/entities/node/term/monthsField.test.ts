import { expect, test } from 'vitest'
import { readMonths, stepMonths } from './monthsField.ts'

test.each([
  ['1', 1],
  [' 120 ', 120],
  ['007', 7],
  ['１２', 12],
  ['１２０', 120],
  ['１．５', undefined],
  ['0', undefined],
  ['121', undefined],
  ['1.5', undefined],
  ['-3', undefined],
  ['1e1', undefined],
  ['', undefined],
])('parses %j as %s months', (text, months) => expect(readMonths(text)).toBe(months))

test('steps by a month within the bounds', () => {
  expect(['1', '５', '119', '120', '999', '', 'x'].map((text) => stepMonths(text, 1))).toEqual([
    '2',
    '6',
    '120',
    '120',
    '120',
    '1',
    '1',
  ])
  expect(['1', '5', '0', '999'].map((text) => stepMonths(text, -1))).toEqual(['1', '4', '1', '120'])
})
