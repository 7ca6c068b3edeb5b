import type { OrderEventWire, OrderWire } from '@rackfair/protocol/orders'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { expect, it } from 'vitest'
import { receiptOf } from './receiptOf.ts'

it('totals what the order earned, also where its events do not go back to the first settlement', () => {
  const booked = { totalValue: '1000', remuneration: '700', refunded: '300', compensated: '5', remain: '0', rate: '1000' }
  const order = { ...booked, status: 4 } as OrderWire
  const place = { block: 1, time: 1, logIndex: 1, transactionHash: '0x' }
  const events: OrderEventWire[] = [
    { ...place, name: 'OrderSettled', args: { gross: '200', commission: '2' } },
    { ...place, name: 'OrderClosed', args: { refunded: '300' } },
  ]
  const { lines, totals } = receiptOf(order, events, { commission: '7', spans: [], asOf: 1, block: 1 })
  expect(totals).toEqual({ paid: '1000', earned: '700', commission: '7', refunded: '300', compensated: '5', escrow: '0' })
  expect(lines[0]).toMatchObject({ earned: '200', seconds: MONTH_SECONDS / 5 })
})
