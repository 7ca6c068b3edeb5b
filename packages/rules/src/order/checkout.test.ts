import { describe, expect, test } from 'vitest'
import { lowerCaseAddress } from '../address.ts'
import { type CheckoutAccount, type CheckoutMarket, type CheckoutOffer, checkoutBlocker } from './checkout.ts'
import { testOrder } from './testing/testOrder.ts'

const ONE = 10n ** 18n
const HOUR = 3600
const MONTH = 2_592_000
const now = 1_800_000_000
const buyer = lowerCaseAddress('0x00000000000000000000000000000000000000AA')
const provider = lowerCaseAddress('0x00000000000000000000000000000000000000bb')

/** Sold for 30 USD a day, with 1 USD free of 15 pledged. */
const machine = {
  ...{ provider, exist: true, sold: false, soldUntil: null, switchedOn: true, online: true, offlineSince: null },
  ...{ pledgeWei: 15n * ONE, pledgeLockedWei: 14n * ONE, ratePerMonthWei: 900n * ONE },
}
const order = { ...testOrder(), user: buyer, provider, node: { switchedOn: true } }
const terms = { seconds: HOUR, feeWei: 5n * ONE, gasWei: 1n }
const wallet = { status: 'connected' as const, supported: true, creditWei: 5n * ONE, nativeWei: ONE }
const payer: CheckoutAccount = { address: buyer, wallet }
/** An owner that promises buyers less than a day: a default of 24 hours would refuse the machine above. */
const market: CheckoutMarket = { now, penalty: HOUR / 2 }

const codeOf = (offer: CheckoutOffer, account = payer, at = market) => checkoutBlocker(offer, account, at)?.code

describe('a machine', () => {
  test.each([
    [{}, undefined],
    [{ exist: false }, 'node_gone'],
    [{ provider: buyer }, 'own_node'],
    [{ sold: true, soldUntil: now + 1 }, 'sold'],
    [{ sold: true }, 'sold'],
    [{ sold: true, soldUntil: now }, undefined],
    [{ switchedOn: false }, 'switched_off'],
    [{ online: false }, 'offline'],
    [{ pledgeWei: ONE - 1n }, 'pledge_too_low'],
    [{ pledgeLockedWei: 15n * ONE }, 'pledge_locked'],
  ])('with %o: %s, in a list too', (change, code) => {
    expect(codeOf({ machine: { ...machine, ...change }, terms })).toBe(code)
    expect(codeOf({ machine: { ...machine, ...change } }, { address: buyer }), 'in a list').toBe(code)
  })

  test('that is sold for longer only refuses a shorter term, and in a list nothing', () => {
    const longer = { ...machine, minTerm: 3 * HOUR }
    const forSeconds = (seconds: number) => ({ machine: longer, terms: { ...terms, seconds } })
    expect(checkoutBlocker(forSeconds(3 * HOUR - 1), payer, market)).toEqual({ code: 'too_short', minTerm: 3 * HOUR })
    expect(checkoutBlocker(forSeconds(3 * HOUR), payer, market)).toBeUndefined()
    expect(codeOf({ machine: longer })).toBeUndefined()
  })

  test.each([
    [0, undefined],
    [HOUR / 2, undefined],
    [HOUR, 'pledge_locked'],
    [24 * HOUR, 'pledge_locked'],
    [168 * HOUR, 'pledge_locked'],
    [undefined, undefined],
  ])('requires as much free pledge as a penalty of %s seconds: %s', (penalty, code) =>
    expect(codeOf({ machine }, payer, { ...market, penalty })).toBe(code),
  )
})

describe('more time for an order', () => {
  test.each([
    ['its buyer', {}, payer, undefined],
    ['anybody else', {}, { ...payer, address: provider }, 'not_buyer'],
    [
      'a visitor, whom the wallet tells what to do',
      {},
      { address: undefined, wallet: { ...wallet, status: 'disconnected' } },
      'not_connected',
    ],
    ['one that is closed', { status: 4 }, payer, 'closed'],
    ['one whose machine is switched off', { node: { switchedOn: false } }, payer, 'switched_off'],
  ] as const)('%s', (_, change, account, code) => {
    const blocker = checkoutBlocker({ extension: { ...order, ...change } as never, terms }, account as CheckoutAccount, market)
    expect(blocker?.code === 'order' ? blocker.why.code : blocker?.code).toBe(code)
  })
  test('refuses what the order does not allow before it asks for anything', () => {
    const extension = { ...order, node: { switchedOn: false } }
    const stranger = { address: undefined, wallet: { ...wallet, status: 'disconnected' as const } }
    expect(
      codeOf({ extension, terms: { ...terms, seconds: undefined } }, stranger, { ...market, unreachable: 'device_offline' }),
    ).toBe('order')
  })
})

describe('whoever pays', () => {
  test.each([
    ['device_offline', { unreachable: 'device_offline' }, {}, {}],
    ['failed_market', { unreachable: 'failed_market' }, {}, {}],
    ['wait', {}, { status: 'loading' }, {}],
    ['wait', {}, { status: 'connecting' }, {}],
    ['not_connected', {}, { status: 'disconnected', supported: false }, {}],
    ['sign_in', {}, { status: 'unauthenticated' }, {}],
    ['wrong_network', {}, { supported: false }, {}],
    ['term', {}, {}, { seconds: undefined }],
    ['term', {}, {}, { seconds: HOUR - 1 }],
    ['term', {}, {}, { seconds: HOUR + 0.5 }],
    ['term', {}, {}, { seconds: 120 * MONTH + 1 }],
    ['settings', {}, {}, { areSettingsWrong: true }],
    ['fee_unreadable', {}, {}, { feeWei: 'unread' }],
    ['balance_unreadable', {}, { creditWei: 'unread' }, {}],
    ['balance_unreadable', {}, { nativeWei: 'unread' }, {}],
    ['wait', {}, {}, { feeWei: undefined }],
    ['wait', {}, { creditWei: undefined }, {}],
    ['balance_low', {}, { creditWei: 5n * ONE - 1n }, {}],
    ['no_gas', {}, { nativeWei: 0n }, { gasWei: 0n }],
    ['no_gas', {}, {}, { gasWei: ONE + 1n }],
    [undefined, {}, {}, {}],
  ] as const)('refuses as %s: %o %o %o', (code, facts, has, chosen) => {
    const account = { address: buyer, wallet: { ...wallet, ...has } }
    for (const offer of [{ machine }, { extension: order }])
      expect(codeOf({ ...offer, terms: { ...terms, ...chosen } }, account, { ...market, ...facts })).toBe(code)
  })
  test('is told how much is missing', () =>
    expect(checkoutBlocker({ machine, terms: { ...terms, feeWei: 7n * ONE } }, payer, market)).toEqual({
      code: 'balance_low',
      missingWei: 2n * ONE,
    }))
})
