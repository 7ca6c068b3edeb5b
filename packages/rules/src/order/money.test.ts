import { describe, expect, test } from 'vitest'
import { accruedWei } from '../prices/pricing.ts'
import { droppedBy, orderMoney, quoteDropped, quoteProviderCancel, quoteUserCancel, restOfPromiseWei } from './money.ts'
import { orderTerms } from './order.ts'
import { testOrder } from './testing/testOrder.ts'
import { orderTime } from './time.ts'

const START = 1_800_000_000
const MONTH = 2_592_000
const CREDIT = 10n ** 18n

describe('money', () => {
  test('counts every second from the activation on as spent, in probation too', () => {
    for (const seconds of [1, 599, 600, 601]) {
      const spent = accruedWei(30n * CREDIT, seconds)
      expect(orderMoney(testOrder(), START + seconds)).toMatchObject({ spentWei: spent, backWei: 60n * CREDIT - spent })
    }
  })

  test('lets either side leave at once in probation, with nothing pending', () => {
    const due = accruedWei(30n * CREDIT, 300)
    const hour = accruedWei(30n * CREDIT, 3600)
    const terms = orderTerms(testOrder())
    expect(quoteUserCancel(terms, START + 300)).toMatchObject({ toProvider: due, compensation: 0n, pending: 0n })
    expect(quoteProviderCancel(terms, START + 300)).toMatchObject({ toProvider: due, compensation: hour, pending: 0n })
  })

  test('counts what was used afterwards as spent, to the wei', () => {
    const money = orderMoney(testOrder(), START + MONTH / 2)
    expect(money).toMatchObject({ spentWei: 15n * CREDIT, backWei: 45n * CREDIT })
    expect(money.spentWei + money.backWei).toBe(money.paidWei)
  })

  test('ends probation with the first deployment, even if that is cleaned', () => {
    const spent = (30n * CREDIT * 300n) / BigInt(MONTH)
    const deployTime = START + 60
    expect(orderMoney(testOrder({ deployed: true, deployTime }), START + 300).spentWei).toBe(spent)
    expect(orderMoney(testOrder({ deployed: false, deployTime }), START + 300).spentWei).toBe(spent)
  })

  test('refunds downtime', () => {
    const money = orderMoney(testOrder({ downSeconds: MONTH / 10 }), START + MONTH)
    expect(money).toMatchObject({ downtimeWei: 3n * CREDIT, backWei: 33n * CREDIT })
  })

  test('spends nothing after the end', () =>
    expect(orderMoney(testOrder(), START + 3 * MONTH)).toMatchObject({ spentWei: 60n * CREDIT, backWei: 0n }))

  test('shows what was booked of a closed order', () => {
    const closed = testOrder({ status: 4, remunerationWei: 20n * CREDIT, refundedWei: 40n * CREDIT, remainWei: 0n })
    expect(orderMoney(closed, START + 3 * MONTH)).toMatchObject({ spentWei: 20n * CREDIT, backWei: 40n * CREDIT })
  })

  test('counts what is pending neither as spent nor as refunded', () => {
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

  test('keeps the penalty of a provider that was away for a day apart from what was paid in', () => {
    const away = testOrder({ reportedUntil: START + MONTH, downSince: START + MONTH - 86_400, downSeconds: 86_400 })
    const money = orderMoney(away, START + MONTH)
    expect(money.spentWei).toBe(29n * CREDIT)
    expect(money.spentWei + money.backWei).toBe(money.paidWei)
  })

  test('deducts compensation for downtime from the penalty for dropping the order', () => {
    const hour = accruedWei(30n * CREDIT, 3600n)
    const paid = testOrder({ compensatedWei: hour, downSeconds: 20_000, reportedUntil: START + MONTH, deployTime: START })
    const terms = orderTerms(paid)
    expect(terms.creditedTwiceSeconds).toBe(3600)
    expect(restOfPromiseWei(terms)).toBe(CREDIT - hour)
    expect(quoteProviderCancel(terms, START + MONTH).compensation).toBe(CREDIT - hour)
    const away = orderTerms({ ...paid, downSince: START + MONTH - 86_400 })
    expect(quoteDropped(away, 'away')).toEqual(quoteUserCancel(away, START + MONTH))
    expect(quoteDropped(away, 'away').compensation).toBe(CREDIT - hour)
  })

  test('refunds a missed start in full, plus the price of an hour', () => {
    const missed = testOrder({ status: 1, activateTime: 0 })
    const after = START - 100 + 86_400
    expect([droppedBy(missed, after - 1), droppedBy(missed, after)]).toEqual([undefined, 'not_started'])
    const hour = accruedWei(30n * CREDIT, 3600n)
    expect(quoteDropped(orderTerms(missed), 'not_started')).toMatchObject({ toUser: 60n * CREDIT + hour, compensation: hour })
  })

  test('returns everything before the start', () =>
    expect(orderMoney(testOrder({ status: 1, activateTime: 0 }), START)).toMatchObject({ spentWei: 0n, backWei: 60n * CREDIT }))
})

describe('time', () => {
  test('has no end before the start, only the latest start', () =>
    expect(orderTime(testOrder({ status: 1, activateTime: 0 }), START)).toEqual({
      phase: 'waiting',
      startBefore: 1_799_999_900 + 86_400,
    }))
  test('counts down while the order runs', () =>
    expect(orderTime(testOrder(), START + MONTH)).toEqual({
      phase: 'running',
      end: START + 2 * MONTH,
      leftSeconds: MONTH,
      leftShare: 0.5,
    }))
  test('shows at most the full duration when the clock is behind the chain', () =>
    expect(orderTime(testOrder(), START - 5)).toMatchObject({ leftSeconds: 2 * MONTH, leftShare: 1 }))
  test('shows expired and closed orders', () => {
    expect(orderTime(testOrder(), START + 2 * MONTH).phase).toBe('expired')
    expect(orderTime(testOrder({ status: 5, closeTime: 7 }), START)).toEqual({ phase: 'closed', at: 7 })
  })
})
