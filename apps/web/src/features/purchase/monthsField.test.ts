import { MAX_MONTHS, MIN_MONTHS } from '@rackfair/rules/duration'
import { expect, test } from 'vitest'
import { readMonths, SLIDER_MONTHS, sliderPlace } from './monthsField.ts'

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

test('moves the slider with the input, within its range', () => {
  const at = (text: string) => SLIDER_MONTHS[sliderPlace(text)]
  expect(['', '0', '12', '13', '14', '119', '999', 'x'].map(at)).toEqual([1, 1, 12, 12, 15, 120, 120, 1])
  expect([SLIDER_MONTHS.at(0), SLIDER_MONTHS.at(-1)]).toEqual([MIN_MONTHS, MAX_MONTHS])
})
