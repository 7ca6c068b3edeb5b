import { DAY_SECONDS, HOUR_SECONDS, MONTH_SECONDS } from '@rackfair/rules/duration'
import { expect, it } from 'vitest'
import { renewalEnd } from './renewalEnd.ts'

const NOW = 1_800_000_000
const order = { activateTime: NOW, duration: 2 * HOUR_SECONDS, ratePerMonthWei: BigInt(MONTH_SECONDS) }
const standing = { maxMonthWei: order.ratePerMonthWei, maxTipWei: 0n, until: NOW + 10 * DAY_SECONDS, stepHours: 24 }
/** A wei pays for a second. */
const purse = (days: number, orders = 1n) => ({
  creditWei: BigInt(days * DAY_SECONDS),
  ratePerMonthWei: orders * order.ratePerMonthWei,
})

it.each([
  ['its owner’s time is over', standing, purse(30), { until: standing.until, isSoon: false }],
  ['the purse holds no more', standing, purse(3), { until: NOW + 3 * DAY_SECONDS + 7_200, isSoon: false }],
  ['the purse holds no more, soon', standing, purse(2.5), { until: NOW + 2 * DAY_SECONDS + 7_200, isSoon: true }],
  ['others are paid as well', standing, purse(4, 2n), { until: NOW + 2 * DAY_SECONDS + 7_200, isSoon: true }],
  ['its price is too high', { ...standing, maxMonthWei: 1n }, purse(30), { until: NOW + 7_200, isSoon: true }],
  ['it has not started', standing, purse(30), { until: standing.until, isSoon: false }, { activateTime: 0 }],
  ['nobody asked for it', undefined, purse(30), undefined],
  ['that is over', { ...standing, until: NOW }, purse(30), undefined],
])('says how long an order is renewed: %s', (_, kept, holds, expected, more: { activateTime?: number } = {}) => {
  expect(renewalEnd({ ...order, ...more }, kept, holds, NOW)).toEqual(expected)
})
