import { expect, test } from 'vitest'
import {
  durationInWords,
  isDurationMonths,
  isOrderSeconds,
  MAX_ORDER_SECONDS,
  MONTH_SECONDS,
  monthsToSeconds,
  readDuration,
  writeDuration,
} from './duration.ts'

const HOUR = 3_600
const DAY = 86_400

test('accepts whole months from 1 to 120', () => {
  expect([0, 1, 120, 121, 1.5, Number.NaN].map(isDurationMonths)).toEqual([false, true, true, false, false, false])
  expect(monthsToSeconds(3)).toBe(7_776_000)
})

test('accepts whole seconds from an hour to 120 months as an order', () => {
  const bounds = [HOUR - 1, HOUR, HOUR + 0.5, MAX_ORDER_SECONDS, MAX_ORDER_SECONDS + 1, Number.NaN, Number.POSITIVE_INFINITY]
  expect(bounds.map(isOrderSeconds)).toEqual([false, true, false, true, false, false, false])
})

test.each([
  ['2h', 2 * HOUR],
  ['2 H', 2 * HOUR],
  [' 1 hour ', HOUR],
  ['36 hours', 36 * HOUR],
  ['1.5h', 1.5 * HOUR],
  ['90min', 1.5 * HOUR],
  ['3600s', HOUR],
  ['3 days', 3 * DAY],
  ['0.1 days', 8_640],
  ['2w', 14 * DAY],
  ['1 month', MONTH_SECONDS],
  ['12mo', 12 * MONTH_SECONDS],
  ['1d12h', 1.5 * DAY],
  ['1 day, 12 hours', 1.5 * DAY],
  ['２小时', 2 * HOUR],
  ['3 天', 3 * DAY],
  ['1个月2天', MONTH_SECONDS + 2 * DAY],
  ['2周', 14 * DAY],
])('reads %s', (text, seconds) => expect(readDuration(text)).toBe(seconds))

test.each([
  '',
  '2',
  'h',
  'two hours',
  '-2h',
  '2h3',
  '1e3h',
  '2 fortnights',
  '0h',
  '1.00001min',
  '1m',
  `${'9'.repeat(20)}h`,
  ' '.repeat(65),
])('does not read %j as a time', (text) => expect(readDuration(text)).toBeUndefined())

test.each([
  [HOUR, '1h', '1 hour', '1小时'],
  [2 * HOUR, '2h', '2 hours', '2小时'],
  [1.5 * DAY, '1d12h', '1 day 12 hours', '1天12小时'],
  [MONTH_SECONDS, '1mo', '1 month', '1个月'],
  [MONTH_SECONDS + 61, '1mo1min1s', '1 month 1 minute 1 second', '1个月1分钟1秒钟'],
])('writes %i seconds for machines and for people', (seconds, short, english, chinese) => {
  expect(writeDuration(seconds)).toBe(short)
  expect(durationInWords(seconds, 'en')).toBe(english)
  expect(durationInWords(seconds, 'zh')).toBe(chinese)
})

test('reads back every time that it writes', () => {
  for (let seconds = 1; seconds < MAX_ORDER_SECONDS; seconds = seconds * 3 + 7)
    expect([seconds, readDuration(writeDuration(seconds)), readDuration(durationInWords(seconds, 'en'))]).toEqual(
      Array(3).fill(seconds),
    )
})
