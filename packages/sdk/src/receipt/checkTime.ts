import type { ReceiptWire } from '@rackfair/protocol/orders'
import { readOrder } from '@rackfair/protocol/orders'
import { orderMoney } from '@rackfair/rules/order/money'
import { type ReceiptFacts, receiptSpans } from '@rackfair/rules/order/receiptSpans'
import { isTerminal } from '@rackfair/rules/order/status'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { Downtime } from './checkDowntime.ts'
import { createCheck, type ReceiptCheck } from './ReceiptVerdict.ts'
import type { ChainEvent } from './readOrderEvents.ts'

/**
 * Splits every second of an order again from what the chain says and compares span by span. The caller has already compared the receipt's
 * `order` with the chain.
 */
export function checkTime(
  { order, spans, asOf }: Pick<ReceiptWire, 'order' | 'spans' | 'asOf'>,
  events: readonly ChainEvent[],
  findings: Downtime['findings'],
  calendar: Calendar,
): ReceiptCheck {
  const check = createCheck('time')
  const { spentWei, pendingWei } = orderMoney(readOrder(order), asOf)
  const named = (name: string) => events.filter((event) => event.name === name)
  const finals = new Map(named('DowntimeFinal').map(({ args, transactionHash }) => [Number(args.period), transactionHash]))
  const facts: ReceiptFacts = {
    ...{ status: isTerminal(order.status) ? order.status : 0, activateTime: order.activateTime, duration: order.duration },
    ...{ closeTime: order.closeTime, rate: BigInt(order.rate), totalValue: BigInt(order.totalValue), asOf, calendar },
    ...{ earnedWei: spentWei - pendingWei, pendingWei, down: order.down, reportedUntil: order.reportedUntil },
    closedBy: named('OrderClosed')[0]?.transactionHash,
    settlements: named('OrderSettled').map(({ args, transactionHash }) => ({ upTo: Number(args.upTo), transactionHash })),
    findings: findings.map(({ period, down }) => ({ period, down, transactionHash: finals.get(period) ?? '' })),
  }
  const right = receiptSpans(facts)
  check.same('spans', spans.length, right.length)
  for (const [row, span] of right.entries()) {
    const said = spans[row]
    check.counted(span.until - span.from)
    check.same('kind', said?.kind, span.kind, row)
    check.same('from', said?.from, span.from, row)
    check.same('until', said?.until, span.until, row)
    check.same('earned', said?.earned, span.earnedWei, row)
    check.same('back', said?.back, span.backWei, row)
    check.same('transactionHash', said?.transactionHash, span.transactionHash, row)
  }
  return check.done()
}
