import type { OrderEventWire, OrderWire, ReceiptWire } from '@rackfair/protocol/orders'
import type { OutageWire } from '@rackfair/protocol/reliability'
import { orderMoney } from '@rackfair/rules/order/money'
import { type ReceiptSpan, receiptSpans } from '@rackfair/rules/order/receiptSpans'
import { isTerminal } from '@rackfair/rules/order/status'
import { agreedDown, type Calendar, epochsOf } from '@rackfair/rules/uptime/epoch'
import { readOrder } from '@rackfair/sdk/http'
import type { Database } from '../store/openStore.ts'
import { outagesOf, votesOf } from '../uptime/reliabilityAnswerOf.ts'

/** An observation takes at least two monitors. */
const WITNESSES = 2

/** Every second of an order up to `asOf`, with the evidence and the transaction of each line. */
export async function receiptSpansOf(
  db: Database,
  calendar: Calendar,
  order: OrderWire,
  events: readonly OrderEventWire[],
  asOf: number,
): Promise<ReceiptWire['spans']> {
  const findings = await db.selectFrom('finding').selectAll().where('orderId', '=', BigInt(order.id)).execute()
  const final = findings.filter(({ state }) => state === 'final')
  const { spentWei, pendingWei } = orderMoney(readOrder(order), asOf)
  const spans = receiptSpans({
    ...{ status: isTerminal(order.status) ? order.status : 0, activateTime: order.activateTime, duration: order.duration },
    ...{ closeTime: order.closeTime, rate: BigInt(order.rate), totalValue: BigInt(order.totalValue), asOf, calendar },
    ...{ earnedWei: spentWei - pendingWei, pendingWei, down: order.down, reportedUntil: order.reportedUntil },
    closedBy: events.find(({ name }) => name === 'OrderClosed')?.transactionHash,
    settlements: events
      .filter(({ name }) => name === 'OrderSettled')
      .map(({ args, transactionHash }) => ({ upTo: Number(args.upTo), transactionHash })),
    findings: final.map(({ period, down, finalHash }) => ({ period, down: BigInt(down), transactionHash: finalHash })),
  })
  const outages = await outagesOf(db, calendar, final)
  const seen = await observedEpochs(db, calendar, order.id)
  return spans.map((span) => spanWireOf(span, calendar, outages, seen))
}

function spanWireOf(
  { earnedWei, backWei, transactionHash, ...span }: ReceiptSpan,
  { epochSeconds }: Calendar,
  outages: readonly OutageWire[],
  seen: readonly number[],
): ReceiptWire['spans'][number] {
  const isDown = span.kind === 'down' || span.kind === 'late'
  const outage = isDown ? outages.find(({ from, until }) => from < span.until && until > span.from) : undefined
  const inside = seen.filter((epoch) => epoch * epochSeconds >= span.from && (epoch + 1) * epochSeconds <= span.until)
  return {
    ...{ ...span, earned: String(earnedWei), back: String(backWei), transactionHash: transactionHash ?? null },
    ...{ epochs: inside.length, agreed: outage?.agreed ?? 0, reported: outage?.reported ?? 0 },
  }
}

/** Epochs that at least two monitors observed, under roots that are on the chain. */
async function observedEpochs(db: Database, calendar: Calendar, orderId: string): Promise<number[]> {
  const periods = Map.groupBy(await votesOf(db, orderId), ({ period }) => period)
  return [...periods].flatMap(([period, votes]) => {
    const observed = votes.map((vote) => BigInt(vote.observed))
    return epochsOf(calendar, period, agreedDown(observed, WITNESSES))
  })
}
