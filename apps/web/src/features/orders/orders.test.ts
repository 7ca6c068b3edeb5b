import { describe, expect, test } from 'vitest'
import { expiryWarning } from './expiryWarning.ts'
import { orderActions } from './orderActions.ts'
import { filterOrders, readOrderFilter } from './orderFilter.ts'
import { orderMoney } from './orderMoney.ts'
import { orderTime } from './orderTime.ts'
import { testOrder } from './testing/testOrder.ts'

const START = 1_800_000_000
const MONTH = 2_592_000
const CREDIT = 10n ** 18n

describe('money', () => {
  test('in probation everything would come back', () =>
    expect(orderMoney(testOrder(), START + 3599)).toMatchObject({ spentWei: 0n, backWei: 60n * CREDIT }))

  test('after it, what was used is spent, to the wei', () => {
    const money = orderMoney(testOrder(), START + MONTH / 2)
    expect(money).toMatchObject({ spentWei: 15n * CREDIT, backWei: 45n * CREDIT })
    expect(money.spentWei + money.backWei).toBe(money.paidWei)
  })

  test('an application that is marked deployed ends the free time', () =>
    expect(orderMoney(testOrder({ deployed: true }), START + 1800).spentWei).toBe((30n * CREDIT * 1800n) / BigInt(MONTH)))

  test('downtime comes back', () => {
    const money = orderMoney(testOrder({ down: MONTH / 10 }), START + MONTH)
    expect(money).toMatchObject({ downtimeWei: 3n * CREDIT, backWei: 33n * CREDIT })
  })

  test('past its end nothing more is spent', () =>
    expect(orderMoney(testOrder(), START + 3 * MONTH)).toMatchObject({ spentWei: 60n * CREDIT, backWei: 0n }))

  test('a closed order shows what was booked', () => {
    const closed = testOrder({ status: 4, remuneration: String(20n * CREDIT), refunded: String(40n * CREDIT), remain: '0' })
    expect(orderMoney(closed, START + 3 * MONTH)).toMatchObject({ spentWei: 20n * CREDIT, backWei: 40n * CREDIT })
  })

  test('before it starts, all comes back', () =>
    expect(orderMoney(testOrder({ status: 1, activateTime: 0 }), START)).toMatchObject({ spentWei: 0n, backWei: 60n * CREDIT }))
})

describe('time', () => {
  test('before it starts there is no end, only the latest start', () =>
    expect(orderTime(testOrder({ status: 1, activateTime: 0 }), START)).toEqual({
      phase: 'waiting',
      startBefore: 1_799_999_900 + 86_400,
    }))
  test('running', () =>
    expect(orderTime(testOrder(), START + MONTH)).toEqual({
      phase: 'running',
      end: START + 2 * MONTH,
      leftSeconds: MONTH,
      leftShare: 0.5,
    }))
  test('a clock that is behind the chain shows no more than all of it', () =>
    expect(orderTime(testOrder(), START - 5)).toMatchObject({ leftSeconds: 2 * MONTH, leftShare: 1 }))
  test('expired and closed', () => {
    expect(orderTime(testOrder(), START + 2 * MONTH).phase).toBe('expired')
    expect(orderTime(testOrder({ status: 5, closeTime: 7 }), START)).toEqual({ phase: 'closed', at: 7 })
  })
  test('warns 3 days and 1 day before the end', () => {
    const warning = (left: number) => expiryWarning(orderTime(testOrder(), START + 2 * MONTH - left))
    expect([3 * 86_400 + 1, 3 * 86_400, 86_401, 86_400, 1].map(warning)).toEqual([
      undefined,
      'soon',
      'soon',
      'very_soon',
      'very_soon',
    ])
  })
})

describe('actions', () => {
  const now = START + 7200
  test('a running order without an application can be deployed on', () =>
    expect(orderActions(testOrder(), null, now)).toEqual({
      visit: false,
      deploy: 'yes',
      clean: false,
      extend: true,
      cancel: true,
      confirm: false,
    }))
  test('with one it can be visited and cleaned', () =>
    expect(orderActions(testOrder({ deployed: true }), undefined, now)).toMatchObject({ visit: true, deploy: 'no', clean: true }))
  test.each(['Queued', 'Accepted', 'Pulling', 'Creating', 'Starting', 'Cleaning'] as const)('%s: no second deploy', (phase) =>
    expect(orderActions(testOrder(), { phase, deployId: 2 }, now)).toMatchObject({
      deploy: 'under_way',
      visit: false,
      clean: false,
    }),
  )
  test.each(['Failed', 'Cleaned', 'Closed'] as const)('%s: deploy again', (phase) =>
    expect(orderActions(testOrder(), { phase, deployId: 2 }, now).deploy).toBe('yes'),
  )
  test('the probation can be ended while it lasts', () => {
    expect(orderActions(testOrder(), null, START + 3599).confirm).toBe(true)
    expect(orderActions(testOrder({ UserConfirm: true }), null, START + 3599).confirm).toBe(false)
  })
  test('a closed order offers nothing', () =>
    expect(orderActions(testOrder({ status: 3 }), null, now)).toEqual({
      visit: false,
      deploy: 'no',
      clean: false,
      extend: false,
      cancel: false,
      confirm: false,
    }))
})

test('filters read from the address bar', () => {
  expect([undefined, 'ended', 'all', 'x'].map(readOrderFilter)).toEqual(['active', 'ended', 'all', 'active'])
  const orders = [1, 2, 3, 4, 5, 6].map((status) => ({ status }))
  expect(filterOrders(orders, 'active').map((order) => order.status)).toEqual([1, 2])
  expect(filterOrders(orders, 'ended').map((order) => order.status)).toEqual([3, 4, 5, 6])
  expect(filterOrders(orders, 'all')).toHaveLength(6)
})
