import { describe, expect, test } from 'vitest'
import { accruedWei } from '../pricing.ts'
import { droppedBy, orderMoney, quoteDropped, quoteProviderCancel, quoteUserCancel, restOfPromiseWei } from './money.ts'
import { orderTerms } from './order.ts'
import { testOrder } from './testing/testOrder.ts'
import { orderTime } from './time.ts'

const START = 1_800_000_000
const MONTH = 2_592_000
const CREDIT = 10n ** 18n

describe('money', () => {
  test('in probation everything would come back', () =>
    expect(orderMoney(testOrder(), START + 599)).toMatchObject({ spentWei: 0n, backWei: 60n * CREDIT }))

  test('after it, what was used is spent, to the wei', () => {
    const money = orderMoney(testOrder(), START + MONTH / 2)
    expect(money).toMatchObject({ spentWei: 15n * CREDIT, backWei: 45n * CREDIT })
    expect(money.spentWei + money.backWei).toBe(money.paidWei)
  })

  test('the first deployment ends the free time for good, also when it is cleaned', () => {
    const spent = (30n * CREDIT * 300n) / BigInt(MONTH)
    const deployTime = START + 60
    expect(orderMoney(testOrder({ deployed: true, deployTime }), START + 300).spentWei).toBe(spent)
    expect(orderMoney(testOrder({ deployed: false, deployTime }), START + 300).spentWei).toBe(spent)
  })

  test('downtime comes back', () => {
    const money = orderMoney(testOrder({ down: MONTH / 10 }), START + MONTH)
    expect(money).toMatchObject({ downtimeWei: 3n * CREDIT, backWei: 33n * CREDIT })
  })

  test('past its end nothing more is spent', () =>
    expect(orderMoney(testOrder(), START + 3 * MONTH)).toMatchObject({ spentWei: 60n * CREDIT, backWei: 0n }))

  test('a closed order shows what was booked', () => {
    const closed = testOrder({ status: 4, remunerationWei: 20n * CREDIT, refundedWei: 40n * CREDIT, remainWei: 0n })
    expect(orderMoney(closed, START + 3 * MONTH)).toMatchObject({ spentWei: 20n * CREDIT, backWei: 40n * CREDIT })
  })

  test('what a cancel left pending is neither spent nor back for good', () => {
    const pending = {
      remunerationWei: 19n * CREDIT,
      remainWei: CREDIT,
      refundedWei: 40n * CREDIT,
      pendingUntil: START,
    }
    expect(orderMoney(testOrder({ status: 4, ...pending }), START)).toMatchObject({
      spentWei: 20n * CREDIT,
      pendingWei: CREDIT,
      backWei: 40n * CREDIT,
    })
  })

  test('the penalty of a provider that was away for a day is no part of what was paid in', () => {
    const away = testOrder({ reportedUntil: START + MONTH, downSince: START + MONTH - 86_400, down: 86_400 })
    const money = orderMoney(away, START + MONTH)
    expect(money.spentWei).toBe(29n * CREDIT)
    expect(money.spentWei + money.backWei).toBe(money.paidWei)
  })

  test('what was paid for downtime is not paid again for dropping the order', () => {
    const hour = accruedWei(30n * CREDIT, 3600n)
    const paid = testOrder({ compensatedWei: hour, down: 20_000, reportedUntil: START + MONTH, deployTime: START })
    const terms = orderTerms(paid)
    expect(terms.creditedTwice).toBe(3600)
    expect(restOfPromiseWei(terms)).toBe(CREDIT - hour)
    expect(quoteProviderCancel(terms, START + MONTH).compensation).toBe(CREDIT - hour)
    const away = orderTerms({ ...paid, downSince: START + MONTH - 86_400 })
    expect(quoteDropped(away, 'away')).toEqual(quoteUserCancel(away, START + MONTH))
    expect(quoteDropped(away, 'away').compensation).toBe(CREDIT - hour)
  })

  test('a missed start brings back all, and the price of an hour', () => {
    const missed = testOrder({ status: 1, activateTime: 0 })
    const after = START - 100 + 86_400
    expect([droppedBy(missed, after - 1), droppedBy(missed, after)]).toEqual([undefined, 'not_started'])
    const hour = accruedWei(30n * CREDIT, 3600n)
    expect(quoteDropped(orderTerms(missed), 'not_started')).toMatchObject({ toUser: 60n * CREDIT + hour, compensation: hour })
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
})
