import { expect, test } from 'vitest'
import { readVoucher } from './voucherFields.ts'

const code = `0x${'ab'.repeat(192)}`

test('reads an amount and a code', () =>
  expect(readVoucher({ amount: ' 2.5 ', code: ` ${code}\n` })).toEqual({ amountWei: 25n * 10n ** 17n, code }))

test.each(['', '0', '-1', '1e3', 'ten'])('refuses %j as an amount', (amount) =>
  expect(readVoucher({ amount, code })).toEqual({ wrong: 'amount' }),
)
test.each(['', '0x', '0x12', code.slice(2), `${code}a`, `${code}zz`])('refuses an invalid code', (wrong) =>
  expect(readVoucher({ amount: '1', code: wrong })).toEqual({ wrong: 'code' }),
)
