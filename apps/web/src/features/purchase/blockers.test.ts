import { describe, expect, test } from 'vitest'
import { nodeBlocker } from '../../lib/nodeBlocker.ts'
import { connectionBlocker, type Funds, fundsBlocker } from './accountBlocker.ts'
import { extensionBlocker } from './extensionBlocker.ts'

const ONE = 10n ** 18n
const now = 1_800_000_000
const buyer = '0x00000000000000000000000000000000000000AA'

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

  test('a balance that equals the fee is enough', () => expect(fundsBlocker(funds)).toBeUndefined())
  test('one wei less is not, and says how much is missing', () =>
    expect(fundsBlocker({ ...funds, creditWei: 5n * ONE - 1n })).toEqual({ code: 'balance_low', missingWei: 1n }))
  test('without gas nothing can be sent', () => {
    expect(fundsBlocker({ ...funds, nativeWei: 0n, gasWei: 0n })).toEqual({ code: 'no_gas' })
    expect(fundsBlocker({ ...funds, nativeWei: 1n, gasWei: 2n })).toEqual({ code: 'no_gas' })
  })
  test('an unread fee or balance never lets a purchase through', () => {
    expect(fundsBlocker({ ...funds, feeFailed: true })?.code).toBe('fee_unreadable')
    expect(fundsBlocker({ ...funds, balanceFailed: true })?.code).toBe('balance_unreadable')
    expect(fundsBlocker({ ...funds, feeWei: undefined })?.code).toBe('wait')
    expect(fundsBlocker({ ...funds, creditWei: undefined })?.code).toBe('wait')
  })
})

describe('the machine', () => {
  const node = {
    cp: '0x00000000000000000000000000000000000000bb',
    exist: true,
    sold: false,
    soldUntil: null,
    switchedOn: true,
    online: true,
    lastSeen: now,
    pledge: String(ONE),
  }
  test('an idle one that is online can be bought', () => expect(nodeBlocker(node, buyer, now)).toBeUndefined())
  test.each([
    [{ exist: false }, 'node_gone'],
    [{ cp: buyer.toLowerCase() }, 'own_node'],
    [{ sold: true, soldUntil: now + 1 }, 'sold'],
    [{ sold: true }, 'sold'],
    [{ switchedOn: false }, 'switched_off'],
    [{ online: false }, 'offline'],
    [{ pledge: String(ONE - 1n) }, 'pledge_too_low'],
  ])('%j is refused as %s', (change, code) => expect(nodeBlocker({ ...node, ...change }, buyer, now)?.code).toBe(code))
  test('one whose order is past its end can be bought', () =>
    expect(nodeBlocker({ ...node, sold: true, soldUntil: now }, buyer, now)).toBeUndefined())
})

describe('an extension', () => {
  const order = {
    user: buyer.toLowerCase(),
    status: 2,
    activateTime: now - 2_592_000,
    duration: 2 * 2_592_000,
    node: { switchedOn: true },
  }
  test('of a running order is possible', () => expect(extensionBlocker(order, buyer, 1, now)).toBeUndefined())
  test.each([
    [{ user: '0x00000000000000000000000000000000000000cc' }, 'not_yours'],
    [{ status: 1, activateTime: 0 }, 'not_started'],
    [{ status: 4 }, 'ended'],
    [{ duration: 2_592_000 }, 'ended'],
    [{ node: { switchedOn: false } }, 'machine_offline'],
  ])('%j is refused as %s', (change, code) => expect(extensionBlocker({ ...order, ...change }, buyer, 1, now)?.code).toBe(code))
  test('may lie at most 120 months ahead', () => {
    expect(extensionBlocker(order, buyer, 119, now)).toBeUndefined()
    expect(extensionBlocker(order, buyer, 120, now)).toEqual({ code: 'too_long', mostMonths: 119 })
  })
})
