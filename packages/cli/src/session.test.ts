import { AppError } from '@rackfair/rules/errors/AppError'
import { expect, onTestFinished, test } from 'vitest'
import { timeOf } from './commands/orders.ts'
import { exactUsd, sentenceOf, usd } from './session.ts'
import { en } from './texts/en.ts'
import { zh } from './texts/zh.ts'

test.each([
  ['en', en],
  ['zh', zh],
])('explains each error in a sentence: %s', (_, text) => {
  const known = sentenceOf(new AppError('NodeSold', 'NodeSold()'), text)
  expect(known).toEqual({ code: 'NodeSold', message: text.errors.NodeSold() })
  expect(sentenceOf(new AppError('of_tomorrow', 'why'), text)).toEqual({ code: 'of_tomorrow', message: 'why' })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])(
  'has no sentence for an unexpected error code %s',
  (code) => expect(sentenceOf(new AppError(code, 'why'), en)).toEqual({ code, message: 'why' }),
)

test('shows times in the time zone of whoever reads them', () => {
  const { TZ } = process.env
  onTestFinished(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'Asia/Kolkata'
  expect(timeOf(1_795_748_700)).toBe('2026-11-27 08:35')
  process.env.TZ = 'America/New_York'
  expect(timeOf(1_795_748_700)).toBe('2026-11-26 22:05')
})

test('shows amounts to people with at most six decimals, never more than there is', () => {
  expect(usd(1_234_567_890_123_456_789n)).toBe('1.234567')
  expect(usd(10n ** 18n)).toBe('1.00')
  expect(exactUsd(1_234_567_890_123_456_789n)).toBe('1.234567890123456789')
})
