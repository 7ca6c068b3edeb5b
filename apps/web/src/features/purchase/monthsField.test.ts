import { expect, test } from 'vitest'
import { readMonths, sliderMonths } from './monthsField.ts'

test.each([
  ['1', 1],
  [' 120 ', 120],
  ['007', 7],
  ['0', undefined],
  ['121', undefined],
  ['1.5', undefined],
  ['-3', undefined],
  ['1e1', undefined],
  ['', undefined],
])('%j is read as %s months', (text, months) => expect(readMonths(text)).toBe(months))

test('the slider follows what is typed and stays on its track', () => {
  expect(['', '0', '12', '999', 'x'].map(sliderMonths)).toEqual([1, 1, 12, 120, 1])
})
