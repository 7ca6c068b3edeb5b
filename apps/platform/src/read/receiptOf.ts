import type { OrderEventWire, OrderWire, ReceiptWire } from '@rackfair/protocol/orders'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { isTerminal } from '@rackfair/rules/order/status'

type Line = ReceiptWire['lines'][number]
const NOTHING = { seconds: null, paid: '0', earned: '0', commission: '0', refunded: '0', compensated: '0' }

/** Accounts for every wei of an order: by event, and in total, also of events that are too many to list. */
export function receiptOf(
  order: OrderWire,
  events: readonly OrderEventWire[],
  { commission, spans, asOf, block }: Pick<ReceiptWire, 'spans' | 'asOf' | 'block'> & { commission: string },
): ReceiptWire {
  const lines: Line[] = []
  const settled = events.filter(({ name }) => name === 'OrderSettled')
  let earnedBefore = BigInt(order.remuneration) - settled.reduce((sum, { args }) => sum + BigInt(args.gross as string), 0n)
  for (const { name, time, transactionHash, args } of events) {
    const line: Line = { ...NOTHING, time, event: name, transactionHash }
    if (name === 'OrderCreated') line.paid = String(args.totalValue)
    if (name === 'OrderExtended') line.paid = String(args.paid)
    if (name === 'OrderClosed' || name === 'PendingSettled') line.refunded = String(args.refunded)
    if (name === 'BuyerCompensated') line.compensated = String(args.fromPledge)
    if (name === 'DowntimeCompensated') line.compensated = String(args.amount)
    if (name === 'OrderSettled') {
      const gross = BigInt(args.gross as string)
      line.earned = String(gross)
      line.commission = String(args.commission)
      line.seconds = Number(secondsFor(earnedBefore + gross, order) - secondsFor(earnedBefore, order))
      earnedBefore += gross
    }
    lines.push(line)
  }
  const { totalValue: paid, remuneration: earned, refunded, compensated } = order
  const open = isTerminal(order.status) ? order.remain : String(BigInt(paid) - BigInt(earned) - BigInt(refunded))
  return {
    order,
    lines,
    ...{ spans, asOf, block },
    totals: { paid, earned, commission, refunded, compensated, escrow: open },
  }
}

/** The fewest whole seconds of service that cost this much. */
function secondsFor(wei: bigint, order: OrderWire): bigint {
  const rate = BigInt(order.rate)
  return rate === 0n ? 0n : (wei * BigInt(MONTH_SECONDS) + rate - 1n) / rate
}
