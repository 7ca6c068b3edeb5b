import { expect, test } from 'vitest'
import { ONE_CREDIT_WEI } from '../money.ts'
import { keptUntil, nextRenewal, type StandingOrder } from './renewal.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const START = 1_800_000_000
const RATE = 30n * ONE_CREDIT_WEI
const order = { activateTime: START, duration: 10 * DAY, ratePerMonthWei: RATE }
const END = START + 10 * DAY
const keep = (change: Partial<StandingOrder> = {}): StandingOrder => ({
  ...{ maxMonthWei: RATE, maxTipWei: 0n, until: END + 20 * DAY, stepHours: 24 },
  ...change,
})

test.each<[string, StandingOrder | undefined, object | undefined]>([
  ['not kept', undefined, undefined],
  ['kept by days', keep(), { opensAt: END - 6 * HOUR, seconds: DAY, feeWei: ONE_CREDIT_WEI }],
  ['kept by hours', keep({ stepHours: 1 }), { opensAt: END - HOUR / 4, seconds: HOUR, feeWei: ONE_CREDIT_WEI / 24n }],
  ['kept by months', keep({ stepHours: 720 }), { opensAt: END - DAY, seconds: 20 * DAY, feeWei: 20n * ONE_CREDIT_WEI }],
  ['kept no longer than it lasts', keep({ until: END }), undefined],
  ['kept for less than an hour more', keep({ until: END + HOUR - 1 }), undefined],
  ['dearer than its owner pays', keep({ maxMonthWei: RATE - 1n }), undefined],
])('knows the next renewal of an order that is %s', (_, standing, next) => expect(nextRenewal(order, standing)).toEqual(next))

test.each<[string, StandingOrder | undefined, bigint, bigint, number]>([
  ['is not kept', undefined, 100n, RATE, END],
  ['is paid for as long as its owner wants', keep(), 20n, RATE, END + 20 * DAY],
  ['is paid for a while, in whole steps', keep(), 7n, RATE, END + 7 * DAY],
  ['has no step paid', keep({ stepHours: 240 }), 9n, RATE, END],
  ['shares the purse with two others', keep(), 7n, 3n * RATE, END + 2 * DAY],
  ['became too dear', keep({ maxMonthWei: 1n }), 100n, RATE, END],
])('knows when an order ends that %s', (_, standing, credit, ratePerMonthWei, end) =>
  expect(keptUntil(order, standing, { creditWei: credit * ONE_CREDIT_WEI, ratePerMonthWei })).toBe(end),
)
