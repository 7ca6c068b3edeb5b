import { expect, test } from 'vitest'
import { allowedDowntime, excusedDowntime } from '../duration.ts'
import {
  downtimeAfterReport,
  dueWei,
  paidTwiceSeconds,
  quoteProviderCancel,
  quoteUserCancel,
  settleableWei,
  settlementEdge,
} from '../order/money.ts'
import type { OrderTerms } from '../order/order.ts'
import { OrderStatus } from '../order/status.ts'
import { orderEnd } from '../order/time.ts'
import { accruedWei, commissionWei, extensionFeeWei, orderFeeWei, ratePerMonthWei } from '../prices/pricing.ts'
import { monitorPayWei } from '../uptime/monitorPay.ts'
import accrual from './accrual.json' with { type: 'json' }
import allowances from './allowances.json' with { type: 'json' }
import downtime from './downtime.json' with { type: 'json' }
import endings from './endings.json' with { type: 'json' }
import pay from './pay.json' with { type: 'json' }
import price from './price.json' with { type: 'json' }
import refund from './refund.json' with { type: 'json' }

// Solidity runs the same vectors. Computed independently of either, with the formulas of `docs/money.md`; `endings` are whole orders.

test('computes rate, fee and extension of every vector, to the wei', () => {
  expect(price.length).toBeGreaterThan(20)
  for (const row of price) {
    const prices = { pCPU: BigInt(row.pCPU), pGPU: BigInt(row.pGPU), pMEM: BigInt(row.pMEM), pDISK: BigInt(row.pDISK) }
    const rate = ratePerMonthWei(row, prices)
    expect(rate).toBe(BigInt(row.ratePerMonthWei))
    expect(orderFeeWei(rate, row.durationSeconds)).toBe(BigInt(row.feeWei))
    expect(extensionFeeWei(rate, row.durationSeconds, row.extraSeconds)).toBe(BigInt(row.extensionFeeWei))
  }
})

test('rounds accrual down, once', () => {
  for (const row of accrual) {
    expect(accruedWei(BigInt(row.ratePerMonthWei), row.seconds)).toBe(BigInt(row.accruedWei))
  }
})

test('splits a refund as in every vector, without a remainder', () => {
  for (const row of refund) {
    const order = terms(row)
    expect(dueWei(order, Math.min(row.now, orderEnd(order)))).toBe(BigInt(row.dueWei))
    expect(settlementEdge(order, row.now)).toBe(row.edge)
    expect(quoteUserCancel({ ...order, createTime: CREATED }, row.now)).toEqual(money(row.userCancel))
    if (row.providerCancel === null) continue
    const quote = quoteProviderCancel(order, row.now)
    expect(quote).toEqual(money(row.providerCancel))
    expect(quote.toUser + quote.toProvider + quote.commission + quote.pending - quote.compensation).toBe(
      order.totalValueWei - order.remunerationWei,
    )
  }
})

test('never deducts downtime from what is already paid', () => {
  for (const row of downtime) {
    const order = terms({
      ...row,
      status: 2,
      totalValue: '0',
      penalty: 0,
      probation: 0,
      userConfirm: true,
      deployed: true,
      commissionBps: 0,
      reportedUntil: 0,
      downSince: 0,
    })
    expect(downtimeAfterReport(order, row.totalSeconds, row.asOf)).toBe(row.downAfter)
  }
})

test('allows downtime, and excuses a drop, in proportion to the time of the order', () => {
  for (const { time, allowed, excused, before, down, announced, penalty, twice } of allowances) {
    expect(allowedDowntime(time)).toBe(allowed)
    expect(excusedDowntime(time)).toBe(excused)
    const order = { activateTime: ACTIVATED, reportedUntil: ACTIVATED + time, creditedTwiceSeconds: before, penalty }
    expect(paidTwiceSeconds({ ...order, downSeconds: down }, announced)).toBe(twice)
  }
})

test('computes the pay of each monitor for a period', () => {
  for (const row of pay) expect(monitorPayWei(BigInt(row.poolWei), row.monitors)).toBe(BigInt(row.payWei))
  expect(monitorPayWei(900n, 0)).toBe(0n)
})

const ACTIVATED = 1_795_219_200
/** When every order that was not started was bought. */
const CREATED = ACTIVATED
const DAY = 86_400

test('ends with the same balances of each party, whatever was settled before', () => {
  expect(new Set(endings.map(({ ending }) => ending)).size).toBe(12)
  for (const row of endings) {
    for (const isSettled of [false, true]) {
      const { toProvider, commission, backFromEscrow, forDropping } = ended(row, isSettled)
      expect({ ending: row.ending, toProvider, commission, backFromEscrow, forDropping }).toEqual({
        ending: row.ending,
        toProvider: BigInt(row.toProvider),
        commission: BigInt(row.commission),
        backFromEscrow: BigInt(row.backFromEscrow),
        forDropping: BigInt(row.forDropping),
      })
      expect(toProvider + commission + backFromEscrow).toBe(BigInt(row.priceWei))
    }
  }
})

/** Takes the order of a row to its end. Compensation for downtime does not depend on how an order ends, and no quote includes it. */
function ended(row: (typeof endings)[number], isSettled: boolean) {
  const rate = BigInt(row.rate)
  const isStarted = !['LeftBeforeStart', 'DroppedBeforeStart', 'StartMissed'].includes(row.ending)
  const left = ACTIVATED + row.held
  const order: OrderTerms = {
    status: isStarted ? OrderStatus.Active : OrderStatus.Created,
    ratePerMonthWei: rate,
    totalValueWei: orderFeeWei(rate, row.paid),
    remunerationWei: 0n,
    activateTime: isStarted ? ACTIVATED : 0,
    duration: row.paid,
    downSeconds: 0,
    holdbackSeconds: DAY,
    penalty: DAY,
    probation: 600,
    userConfirm: false,
    deployed: false,
    commissionBps: row.commissionBps,
    reportedUntil: 0,
    downSince: 0,
    creditedTwiceSeconds: 0,
  }
  // A settlement at the end pays nothing that a report could still take back.
  if (isSettled && isStarted) order.remunerationWei = settleableWei(order, left)
  if (row.ending === 'Left' || row.ending === 'Dropped') {
    order.downSeconds = downtimeAfterReport(order, row.away, left)
    order.reportedUntil = left
  }
  if (row.ending === 'WentAway') {
    ;[order.downSeconds, order.downSince, order.reportedUntil] = [DAY, left, left + DAY]
    if (isSettled) order.remunerationWei = settleableWei(order, left + DAY)
  }
  const now = row.ending === 'RanOut' ? orderEnd(order) + DAY : row.ending === 'WentAway' ? left + DAY : left
  const isByProvider = row.ending.startsWith('Dropped') || row.ending === 'StartMissed'
  const quote = isByProvider ? quoteProviderCancel(order, now) : quoteUserCancel({ ...order, createTime: CREATED }, now)

  const paid = order.remunerationWei + quote.toProvider + quote.commission
  // If no report comes, the pending amount goes to the provider.
  const late = { ...order, duration: row.held, remunerationWei: paid }
  const served = row.ending === 'DroppedUnreported' ? dueAfterReport(late, row.away, left) : quote.pending
  const commission =
    commissionWei(0n, order.remunerationWei, order.commissionBps) +
    quote.commission +
    commissionWei(paid, served, order.commissionBps)
  return {
    toProvider: paid + served - commission,
    commission,
    backFromEscrow: quote.toUser - quote.compensation + quote.pending - served,
    forDropping: quote.compensation,
  }
}

/** The amount due at `now` once a report counts that many seconds as downtime. */
function dueAfterReport(order: OrderTerms, away: number, now: number): bigint {
  return dueWei({ ...order, downSeconds: downtimeAfterReport(order, away, now) }, now)
}

/** Under the contract's names, in wei and seconds. */
type Row = Omit<OrderTerms, `${string}${'Wei' | 'Seconds'}`> &
  Record<'rate' | 'totalValue' | 'remuneration', string> &
  Record<'down' | 'holdback', number>

function terms({ rate, totalValue, remuneration, down, holdback, ...row }: Row): OrderTerms {
  return {
    ...row,
    ratePerMonthWei: BigInt(rate),
    totalValueWei: BigInt(totalValue),
    remunerationWei: BigInt(remuneration),
    downSeconds: down,
    holdbackSeconds: holdback,
    creditedTwiceSeconds: 0,
  }
}

function money(row: Record<'toUser' | 'toProvider' | 'commission' | 'compensation' | 'pending', string>) {
  return {
    toUser: BigInt(row.toUser),
    toProvider: BigInt(row.toProvider),
    commission: BigInt(row.commission),
    compensation: BigInt(row.compensation),
    pending: BigInt(row.pending),
  }
}
