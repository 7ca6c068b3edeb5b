import { describe, expect, test } from 'vitest'
import type { LowerCaseAddress } from '../address.ts'
import { lowerCaseAddress } from '../address.ts'
import { nodeBlocker } from './blocker.ts'

const ONE = 10n ** 18n
const now = 1_800_000_000
const DAY = 86_400
const buyer = lowerCaseAddress('0x00000000000000000000000000000000000000AA')

describe('buying a node', () => {
  const node = {
    provider: '0x00000000000000000000000000000000000000bb' as LowerCaseAddress,
    exist: true,
    sold: false,
    soldUntil: null,
    switchedOn: true,
    online: true,
    offlineSince: null,
    pledgeWei: 15n * ONE,
    pledgeLockedWei: ONE,
    ratePerMonthWei: 420n * ONE,
  }
  test('allows an idle node that is online', () => expect(nodeBlocker(node, buyer, now, DAY)).toBeUndefined())
  test.each([
    [{ exist: false }, 'node_gone'],
    [{ provider: buyer.toLowerCase() as LowerCaseAddress }, 'own_node'],
    [{ sold: true, soldUntil: now + 1 }, 'sold'],
    [{ sold: true }, 'sold'],
    [{ switchedOn: false }, 'switched_off'],
    [{ online: false }, 'offline'],
    [{ pledgeWei: ONE - 1n }, 'pledge_too_low'],
    [{ pledgeLockedWei: ONE + 1n }, 'pledge_locked'],
  ])('%o is refused as %s', (change, code) => expect(nodeBlocker({ ...node, ...change }, buyer, now, DAY)?.code).toBe(code))
  test('requires no more free pledge than the penalty of the Market', () => {
    const promised = { ...node, pledgeLockedWei: 15n * ONE }
    expect(nodeBlocker(promised, buyer, now, 0)).toBeUndefined()
    expect(nodeBlocker(node, buyer, now, 86_401)?.code).toBe('pledge_locked')
    expect(nodeBlocker(node, buyer, now, 7 * DAY)?.code).toBe('pledge_locked')
    expect(nodeBlocker(promised, buyer, now, undefined), 'the Market decides').toBeUndefined()
  })
  test('accepts the minimum pledge where it covers the penalty', () => {
    const least = { ...node, pledgeWei: ONE, pledgeLockedWei: 0n, ratePerMonthWei: 30n * ONE }
    expect(nodeBlocker(least, buyer, now, DAY)).toBeUndefined()
    expect(nodeBlocker({ ...least, pledgeLockedWei: 1n }, buyer, now, DAY)).toEqual({ code: 'pledge_locked' })
  })
  test('treats a visitor like any buyer', () => expect(nodeBlocker(node, undefined, now, DAY)).toBeUndefined())
  test('allows a node whose order is past its end', () =>
    expect(nodeBlocker({ ...node, sold: true, soldUntil: now }, buyer, now, DAY)).toBeUndefined())
})
