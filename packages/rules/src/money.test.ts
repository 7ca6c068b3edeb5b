import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatBalanceShort, formatCredit, ONE_CREDIT_WEI, PRICE_DECIMALS, parseCredit } from './money.ts'

test('formats and parses every amount without loss', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (wei) => {
      expect(parseCredit(formatCredit(wei))).toBe(wei)
    }),
  )
})

test.each([
  ['1', ONE_CREDIT_WEI],
  ['0.000000000000000001', 1n],
  [' 12.50 ', 12_500_000_000_000_000_000n],
  ['１', ONE_CREDIT_WEI],
])('parses %s', (text, wei) => expect(parseCredit(text)).toBe(wei))

test.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1,000', '0x10', 'NaN', '1.0000000000000000001', '1²'])('refuses %j', (text) =>
  expect(parseCredit(text)).toBeUndefined(),
)

test('refuses a price with ten decimals instead of rounding it', () => {
  expect(parseCredit('0.1234567891', PRICE_DECIMALS)).toBeUndefined()
  expect(parseCredit('0.123456789', PRICE_DECIMALS)).toBe(123_456_789_000_000_000n)
})

test('truncates towards zero and keeps the requested digits', () => {
  expect(formatCredit(1_999_999_999_999_999_999n, { max: 2 })).toBe('1.99')
  expect(formatCredit(5n * ONE_CREDIT_WEI, { min: 2, max: 2 })).toBe('5.00')
  expect(formatCredit(-1_500_000_000_000_000_000n)).toBe('-1.5')
})

test.each([
  ['0', '0'],
  ['0.12345', '0.123'],
  ['0.9999', '0.999'],
  ['1.239', '1.23'],
  ['99.999', '99.99'],
  ['100.19', '100.1'],
  ['9999.99', '9999.9'],
  ['10000', '10k'],
  ['12345', '12.3k'],
  ['999999', '999.9k'],
  ['1000000', '1m'],
  ['2500000000', '2.5b'],
  ['7100000000000', '7.1t'],
  ['9999000000000000', '9999t'],
])('shows a balance of %s as %s', (credit, shown) => {
  expect(formatBalanceShort(parseCredit(credit) ?? -1n)).toBe(shown)
})
