import { orderMoney } from '@rackfair/rules/order/money'
import { isTerminal } from '@rackfair/rules/order/status'
import type { OrderReceipt } from '@rackfair/sdk/http'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Money } from '../../../ui/Money.tsx'
import { orderMessages } from '../messages.ts'

interface Sum {
  term: string
  wei: bigint
  minus?: boolean
  /** Rounded up, so that it adds up with what is cut. */
  up?: boolean
}

/** What went to whom, and of an order that still runs where the rest is. */
export function ReceiptSums({ receipt: { order, totals }, now }: { receipt: OrderReceipt; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { earnedWei: earned, commissionWei: commission, refundedWei: refunded } = totals
  const { compensatedWei: compensated, escrowWei: escrow } = totals
  const { backWei } = orderMoney(order, now)
  return (
    <div className="cols-sums">
      <SumList
        title={text.receiptToBuyer}
        sums={[
          { term: text.receiptRefunded, wei: refunded },
          ...(compensated > 0n ? [{ term: text.receiptCompensated, wei: compensated }] : []),
        ]}
        total={{ term: text.receiptReceived, wei: refunded + compensated }}
      />
      <SumList
        title={text.receiptToProvider}
        sums={[
          { term: text.receiptEarned, wei: earned },
          {
            term: text.receiptCommissionOf(format.percent(order.commissionBps / 10_000, order.commissionBps % 100 === 0 ? 0 : 2)),
            wei: commission,
            minus: true,
          },
        ]}
        total={{ term: text.receiptReceived, wei: earned - commission }}
      />
      {isTerminal(order.status) && escrow > 0n && (
        <SumList
          title={text.receiptInContract}
          sums={[{ term: text.receiptPending, wei: escrow }]}
          total={{ term: text.receiptEscrow, wei: escrow }}
        />
      )}
      {!isTerminal(order.status) && (
        <SumList
          title={text.receiptInContract}
          sums={[
            { term: text.receiptDue, wei: escrow - backWei, up: true },
            { term: text.receiptYours, wei: backWei },
          ]}
          total={{ term: text.receiptEscrow, wei: escrow }}
        />
      )}
    </div>
  )
}

function SumList({ title, sums, total }: { title: string; sums: readonly Sum[]; total: Sum }) {
  return (
    <section className="min-w-0">
      <h3 className="text-sm">{title}</h3>
      <dl className="mt-1.5 flex flex-col">
        {sums.map((sum) => (
          <Row key={sum.term} sum={sum} />
        ))}
        <Row sum={total} strong />
      </dl>
    </section>
  )
}

function Row({ sum: { term, wei, minus = false, up = false }, strong = false }: { sum: Sum; strong?: boolean }) {
  return (
    <div
      className={`flex items-baseline justify-between gap-3 py-1 ${strong ? 'border-t border-line font-semibold' : 'text-ink-2'}`}
    >
      <dt className="min-w-0">{term}</dt>
      <dd>
        {minus && wei > 0n && <span className="num">−</span>}
        <Money wei={wei} digits={6} fixed up={up} />
      </dd>
    </div>
  )
}
