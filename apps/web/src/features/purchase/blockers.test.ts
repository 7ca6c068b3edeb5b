import { describe, expect, test } from 'vitest'
import { connectionBlocker, type Funds, fundsBlocker } from './accountBlocker.ts'

const ONE = 10n ** 18n

describe('the wallet', () => {
  const funds: Funds = {
    feeWei: 5n * ONE,
    feeFailed: false,
    creditWei: 5n * ONE,
    nativeWei: ONE,
    balanceFailed: false,
    gasWei: 1n,
  }
  test.each([
    ['disconnected', false, 'not_connected'],
    ['unauthenticated', true, 'sign_in'],
    ['loading', false, 'wait'],
    ['connected', false, 'wrong_network'],
    ['connected', true, undefined],
  ] as const)('%s, chain supported %s: %s', (status, supported, code) =>
    expect(connectionBlocker({ status, supported })?.code).toBe(code),
  )

  test('accepts a balance equal to the fee', () => expect(fundsBlocker(funds)).toBeUndefined())
  test('refuses one wei less, with the missing amount', () =>
    expect(fundsBlocker({ ...funds, creditWei: 5n * ONE - 1n })).toEqual({ code: 'balance_low', missingWei: 1n }))
  test('requires gas', () => {
    expect(fundsBlocker({ ...funds, nativeWei: 0n, gasWei: 0n })).toEqual({ code: 'no_gas' })
    expect(fundsBlocker({ ...funds, nativeWei: 1n, gasWei: 2n })).toEqual({ code: 'no_gas' })
  })
  test('never accepts an unread fee or balance', () => {
    expect(fundsBlocker({ ...funds, feeFailed: true })?.code).toBe('fee_unreadable')
    expect(fundsBlocker({ ...funds, balanceFailed: true })?.code).toBe('balance_unreadable')
    expect(fundsBlocker({ ...funds, feeWei: undefined })?.code).toBe('wait')
    expect(fundsBlocker({ ...funds, creditWei: undefined })?.code).toBe('wait')
  })
})
