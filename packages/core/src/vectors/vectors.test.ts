import { expect, test } from 'vitest'
import { downtimeAfterReport, dueWei, quoteProviderCancel, quoteUserCancel, settlementEdge } from '../order/money.ts'
import type { OrderTerms } from '../order/order.ts'
import { orderEnd } from '../order/time.ts'
import { accruedWei, extensionFeeWei, orderFeeWei, ratePerMonthWei } from '../pricing.ts'
import { accrual, downtime, price, refund } from './index.ts'

test('prices: rate, fee and extension of every vector, to the wei', () => {
  expect(price.length).toBeGreaterThan(20)
  for (const row of price) {
    const prices = { pCPU: BigInt(row.pCPU), pGPU: BigInt(row.pGPU), pMEM: BigInt(row.pMEM), pDISK: BigInt(row.pDISK) }
    const rate = ratePerMonthWei(row, prices)
    expect(rate).toBe(BigInt(row.ratePerMonthWei))
    expect(orderFeeWei(rate, row.durationSeconds)).toBe(BigInt(row.feeWei))
    expect(extensionFeeWei(rate, row.durationSeconds, row.extraSeconds)).toBe(BigInt(row.extensionFeeWei))
  }
})

test('accrual rounds down, once', () => {
  for (const row of accrual) {
    expect(accruedWei(BigInt(row.ratePerMonthWei), BigInt(row.seconds))).toBe(BigInt(row.accruedWei))
  }
})

test('refunds: what either side gets by cancelling, and nothing is lost or made', () => {
  for (const row of refund) {
    const order = terms(row)
    expect(dueWei(order, Math.min(row.now, orderEnd(order)))).toBe(BigInt(row.dueWei))
    expect(settlementEdge(order, row.now)).toBe(row.edge)
    expect(quoteUserCancel(order, row.now)).toEqual(money(row.userCancel))
    if (row.providerCancel === null) continue
    const quote = quoteProviderCancel(order, row.now)
    expect(quote).toEqual(money(row.providerCancel))
    expect(quote.toUser + quote.toProvider + quote.commission + quote.pending - quote.compensation).toBe(
      order.totalValue - order.remuneration,
    )
  }
})

test('a downtime statement never reaches what is already paid', () => {
  for (const row of downtime) {
    const order = terms({
      ...row,
      status: 2,
      totalValue: '0',
      penalty: 0,
      probation: 0,
      userConfirm: true,
      deployed: true,
      feeBps: 0,
      reportedUntil: 0,
      downSince: 0,
    })
    expect(downtimeAfterReport(order, row.totalSeconds, row.asOf)).toBe(row.downAfter)
  }
})

type Row = Omit<OrderTerms, 'rate' | 'totalValue' | 'remuneration'> & { rate: string; totalValue: string; remuneration: string }

function terms(row: Row): OrderTerms {
  return { ...row, rate: BigInt(row.rate), totalValue: BigInt(row.totalValue), remuneration: BigInt(row.remuneration) }
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
