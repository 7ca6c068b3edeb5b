import { describe, expect, test } from 'vitest'
import { type Dropped, droppedBy, quoteUserCancel, settleableWei } from './money.ts'
import { type Order, orderTerms } from './order.ts'
import { testOrder } from './testing/testOrder.ts'
import { inProbation } from './time.ts'

const START = 1_800_000_000
const DAY = 86_400
const MONTH = 2_592_000
const CREDIT = 10n ** 18n
const created = { status: 1, activateTime: 0 }

describe('the probation of an order', () => {
  test.each([
    ['runs up to its last second', {}, 599, true],
    ['is over after it', {}, 600, false],
    ['has not begun before the start', created, 0, false],
    ['is over once its buyer confirms', { userConfirm: true }, 1, false],
    ['is over once something is deployed', { deployTime: START + 1 }, 1, false],
    ['is over once something was deployed and cleaned', { deployTime: START + 1, deployed: false }, 1, false],
    ['does not end with the confirmation of the provider', { providerConfirm: true }, 1, true],
    ['is over once its buyer cancels', { status: 4, closeTime: START + 1 }, 2, false],
    ['is over once its buyer left in it', { status: 6, closeTime: START + 1 }, 2, false],
  ] as const)('%s', (_, change: Partial<Order>, seconds, is) =>
    expect(inProbation(orderTerms(testOrder(change)), START + seconds)).toBe(is),
  )
})

describe('what a settlement would book', () => {
  const perSecond = (30n * CREDIT) / BigInt(MONTH)
  test.each([
    ['nothing before the start', created, 3 * MONTH, 0n],
    ['what is final in probation', { holdbackSeconds: 0 }, 1, perSecond],
    ['nothing that may still be found down', { userConfirm: true }, DAY, 0n],
    ['the first second once it is final', { userConfirm: true }, DAY + 1, perSecond],
    ['what the settlement before has not', { remunerationWei: 14n * CREDIT }, DAY + MONTH / 2, CREDIT],
    ['no second twice', { remunerationWei: 15n * CREDIT }, DAY + MONTH / 2, 0n],
    ['nothing back of what was paid', { remunerationWei: 15n * CREDIT }, DAY + MONTH / 2 - 1, 0n],
    ['all but the downtime', { downSeconds: MONTH / 2 }, DAY + MONTH, 15n * CREDIT],
    ['the whole price, a holdback after the end', {}, DAY + 2 * MONTH, 60n * CREDIT],
    ['no more than that', {}, 9 * MONTH, 60n * CREDIT],
    ['nothing of a completed order', { status: 3 }, 3 * MONTH, 0n],
    ['nothing of a cancelled one', { status: 4 }, MONTH, 0n],
    ['nothing of one that was left in probation', { status: 6 }, MONTH, 0n],
  ] as const)('is %s', (_, change: Partial<Order>, seconds, wei) =>
    expect(settleableWei(orderTerms(testOrder(change)), START + seconds)).toBe(wei),
  )
})

describe('an order that its provider dropped', () => {
  const away = { downSince: START + DAY, reportedUntil: START + 2 * DAY }
  const END_AWAY = { downSince: START + 2 * MONTH - DAY, reportedUntil: START + 2 * MONTH }
  test.each([
    ['was away for a day', away, 2 * DAY, 'away'],
    ['was away for a day, and no report of the next eight hours can be in', away, 2 * DAY + 50_399, 'away'],
    ['was away for a day, and back when the next report was due', away, 2 * DAY + 50_400, undefined],
    ['was away for a day at the end, which is over', END_AWAY, 3 * MONTH, 'away'],
    ['was away for a second less', { ...away, downSince: START + DAY + 1 }, 3 * DAY, undefined],
    ['was never away', { reportedUntil: START + 2 * DAY }, 2 * DAY, undefined],
    ['has a day to start', created, DAY - 101, undefined],
    ['missed the start', created, DAY - 100, 'not_started'],
    ['cancelled an order, and was away', { ...away, status: 5 }, 2 * DAY, undefined],
    ['was away in an order that is completed', { ...away, status: 3 }, 3 * MONTH, undefined],
  ] as const)('%s', (_, change: Partial<Order>, seconds, dropped: Dropped | undefined) =>
    expect(droppedBy(testOrder(change), START + seconds)).toBe(dropped),
  )
})

test('a cancel before the start refunds everything, without a commission', () =>
  expect(quoteUserCancel(orderTerms(testOrder({ ...created, commissionBps: 2000 })), START)).toEqual({
    toUser: 60n * CREDIT,
    toProvider: 0n,
    commission: 0n,
    compensation: 0n,
    pending: 0n,
  }))

test.each([
  [0n, 0],
  [1n, 1],
  [10n ** 13n, 1],
  [10n ** 13n + 1n, 2],
  [3600n * 10n ** 13n - 1n, 3600],
  [3600n * 10n ** 13n, 3600],
])('at 0.00001 a second, %i wei out of the pledge pay for %i started seconds', (compensatedWei, seconds) =>
  expect(orderTerms(testOrder({ ratePerMonthWei: 10n ** 13n * BigInt(MONTH), compensatedWei })).creditedTwiceSeconds).toBe(
    seconds,
  ),
)
