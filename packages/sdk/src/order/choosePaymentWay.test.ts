import { expect, test } from 'vitest'
import { choosePaymentWay } from './choosePaymentWay.ts'

const key = { allowanceWei: 0n, feeWei: 5n, canBatch: false, accountCode: undefined }

test('sends directly from a wallet that can batch', () => expect(choosePaymentWay({ ...key, canBatch: true })).toBe('direct'))
test('signs a permit with an ordinary key', () => expect(choosePaymentWay(key)).toBe('permit'))
test('signs a permit with a key that delegates', () =>
  expect(choosePaymentWay({ ...key, accountCode: `0xef0100${'ab'.repeat(20)}` })).toBe('permit'))
test('approves with a smart account', () => expect(choosePaymentWay({ ...key, accountCode: '0x6080' })).toBe('approve'))
test('uses an existing allowance first', () => {
  expect(choosePaymentWay({ ...key, allowanceWei: 5n })).toBe('direct')
  expect(choosePaymentWay({ ...key, allowanceWei: 4n })).toBe('permit')
})
