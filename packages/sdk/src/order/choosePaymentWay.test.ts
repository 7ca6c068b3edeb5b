import { expect, test } from 'vitest'
import { choosePaymentWay } from './choosePaymentWay.ts'

const key = { allowanceWei: 0n, feeWei: 5n, canBatch: false, accountCode: undefined }

test('a wallet that can batch asks once', () => expect(choosePaymentWay({ ...key, canBatch: true })).toBe('direct'))
test('an ordinary key signs a permit', () => expect(choosePaymentWay(key)).toBe('permit'))
test('a key that delegates signs one too', () =>
  expect(choosePaymentWay({ ...key, accountCode: `0xef0100${'ab'.repeat(20)}` })).toBe('permit'))
test('a smart account approves', () => expect(choosePaymentWay({ ...key, accountCode: '0x6080' })).toBe('approve'))
test('what an earlier try approved is used first', () => {
  expect(choosePaymentWay({ ...key, allowanceWei: 5n })).toBe('direct')
  expect(choosePaymentWay({ ...key, allowanceWei: 4n })).toBe('permit')
})
