import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { nodeName } from '@rackfair/rules/node/name'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import type { OrderReceipt } from '@rackfair/sdk/http'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useConfig } from '../../../platform/api/config.ts'
import { Address } from '../../../ui/Address.tsx'
import { Logo } from '../../../ui/Logo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Table } from '../../../ui/Table.tsx'
import { orderMessages } from '../messages.ts'
import { statusWord } from '../statusWord.ts'
import { useResources } from '../useResources.ts'
import { receiptMessages } from './messages.ts'
import { ReceiptLines } from './ReceiptLines.tsx'
import { ReceiptSpans } from './ReceiptSpans.tsx'
import { ReceiptSums } from './ReceiptSums.tsx'

/** The sheet: who, what, every second, and both sums. A number stands on it once nothing can change any more. */
export function ReceiptSheet({ receipt, now, company }: { receipt: OrderReceipt; now: number; company: string }) {
  const text = useMessages(orderMessages)
  const own = useMessages(receiptMessages)
  const format = useFormat()
  const chainId = useConfig()?.chainId
  const [madeAt] = useState(now)
  const { order } = receipt
  const over = isTerminal(order.status)
  const made = text.receiptMade(format.utc(madeAt), format.number(receipt.block))
  return (
    <article aria-label={text.receiptTitle(order.id)} className="sheet min-w-0 rounded-sm border border-line bg-raised text-ink">
      <header className="flex flex-wrap items-start justify-between gap-4 border-b border-ink pb-6">
        <span className="inline-flex items-center gap-2.5 text-base font-semibold">
          <Logo />
          Rackfair
        </span>
        <div className="text-right">
          <h2 className="text-xl">{over ? text.receipt : text.receiptSoFar}</h2>
          {over && chainId !== undefined && <p className="num">{`RF-${chainId}-${order.id.padStart(6, '0')}`}</p>}
          <p className="text-xs text-ink-3">{made}</p>
        </div>
      </header>
      <dl className="cols-cards-small">
        <Party term={text.receiptBuyer}>
          <Address value={order.user} />
          {company !== '' && (
            <>
              <span className="block break-words whitespace-pre-line">{company}</span>
              <span className="block text-xs text-ink-3">{own.companyPrinted}</span>
            </>
          )}
        </Party>
        <Party term={text.provider}>
          <Address value={order.provider} />
          <span className="block break-words">{order.providerName}</span>
        </Party>
        <Party term={text.order(order.id)}>
          <span className="block break-words">{nodeName(order.providerName, order.nodeId)}</span>
          <span className="block">{text.status[statusWord(order.status as 1)]}</span>
          <span className="num block text-xs">{format.utc(order.createTime)}</span>
          {order.closeTime > 0 && <span className="num block text-xs">{format.utc(order.closeTime)}</span>}
          <span className="block text-xs text-ink-3">{format.duration(order.duration, 1)}</span>
        </Party>
      </dl>
      <section>
        <h3 className="text-sm">{text.receiptResources}</h3>
        <Resources order={order} />
        <p className="flex items-baseline justify-between gap-3 py-2 font-semibold">
          {text.receiptPaidIn}
          <Money wei={receipt.totals.paidWei} />
        </p>
      </section>
      <section>
        <h3 className="text-sm">{text.receiptEvery}</h3>
        <ReceiptSpans receipt={receipt} />
      </section>
      <section>
        <h3 className="text-sm">{own.transactions}</h3>
        <ReceiptLines receipt={receipt} />
      </section>
      <ReceiptSums receipt={receipt} now={now} />
      <p className="text-xs text-ink-3">{text.receiptDigits}</p>
    </article>
  )
}

function Party({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-3">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Resources({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const months = order.duration / MONTH_SECONDS
  const isWhole = Number.isInteger(months)
  const resources = useResources(order, isWhole ? months : 1)
  return (
    <Table
      caption={text.receiptResources}
      rows={resources}
      rowKey={({ kind }) => kind}
      columns={[
        { key: 'kind', title: text.receiptResource, head: true, cell: ({ kind }) => text[kind] },
        { key: 'model', title: text.receiptModel, cell: ({ model }) => model },
        { key: 'amount', title: text.receiptUnits, numeric: true, cell: ({ amount }) => amount },
        {
          key: 'price',
          title: text.receiptPrice,
          numeric: true,
          cell: ({ kind, unitWei }) => `${format.usd(unitWei, { max: 9 })} ${text.units[kind]}`,
        },
        { key: 'months', title: text.receiptMonths, numeric: true, cell: () => format.number(isWhole ? months : 1) },
        { key: 'total', title: text.receiptAmount, numeric: true, cell: ({ totalWei }) => <Money wei={totalWei} /> },
      ]}
    />
  )
}
