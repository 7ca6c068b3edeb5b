import { isTerminal, nodeName, orderMoney } from '@rackfair/core'
import type { OrderWire, ReceiptWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../lib/api.ts'
import { useNow } from '../../lib/useNow.ts'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { orderMessages } from './messages.ts'
import { receiptEvent } from './receiptEvent.ts'

type Line = ReceiptWire['lines'][number]

/** Every line of an order's money, made for paper too. */
export function Receipt({ order }: { order: OrderWire }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const now = useNow()
  const receipt = useQuery({
    queryKey: ['orders', 'receipt', order.id],
    queryFn: ({ signal }) => api.receipt(order.id, { signal }),
    meta: { live: [`order:${order.id}`] },
  })
  const column = (title: string, key: 'paid' | 'earned' | 'commission' | 'refunded' | 'compensated'): Column<Line> => ({
    key,
    title,
    numeric: true,
    cell: (line) => (line[key] === '0' ? '–' : <Money wei={BigInt(line[key])} digits={6} />),
  })
  const columns: Column<Line>[] = [
    { key: 'time', title: text.receiptTime, head: true, cell: (line) => <span className="num">{format.stamp(line.time)}</span> },
    { key: 'event', title: text.receiptEvent, cell: (line) => receiptEvent(line.event, text) },
    {
      key: 'seconds',
      title: text.receiptSeconds,
      numeric: true,
      cell: (line) => (line.seconds === null ? '–' : format.number(line.seconds)),
    },
    column(text.receiptPaid, 'paid'),
    column(text.receiptEarned, 'earned'),
    column(text.receiptCommission, 'commission'),
    column(text.receiptRefunded, 'refunded'),
    column(text.receiptCompensated, 'compensated'),
    { key: 'hash', title: text.receiptTransaction, numeric: true, cell: (line) => <Hash value={line.transactionHash} /> },
  ]
  const totals = receipt.data?.totals
  // Of the same block as the lines.
  const stands = receipt.data?.order ?? order
  const money = orderMoney(stands, now)
  return (
    <Page>
      <PageTitle
        title={text.receiptTitle(order.id)}
        lead={text.receiptLead}
        trail={[
          { label: text.title, to: '/myspace' },
          { label: text.order(order.id), to: `/orderinfo?id=${order.id}` },
          { label: text.receipt },
        ]}
        actions={
          <span className="no-print flex flex-wrap gap-2.5">
            <ButtonLink to={`/orderinfo?id=${order.id}`}>{text.backToOrder}</ButtonLink>
            <Button onClick={() => window.print()}>{text.print}</Button>
          </span>
        }
      />
      <div className="cols-cards">
        <Card title={text.order(order.id)}>
          <Facts
            facts={[
              { term: text.receiptMachine, value: nodeName(order.providerName, order.node_id) },
              { term: text.receiptBuyer, value: <Address value={order.user} /> },
              { term: text.provider, value: <Address value={order.provider} /> },
              { term: text.bought, value: format.dateTime(order.createTime) },
              { term: text.duration, value: format.duration(order.duration, 1) },
            ]}
          />
        </Card>
        <Card title={text.receiptTotal}>
          {totals ? (
            <Facts
              facts={[
                { term: text.receiptPaid, value: <Money wei={BigInt(totals.paid)} digits={6} /> },
                { term: text.receiptEarned, value: <Money wei={BigInt(totals.earned)} digits={6} /> },
                { term: text.receiptCommission, value: <Money wei={BigInt(totals.commission)} digits={6} /> },
                { term: text.receiptRefunded, value: <Money wei={BigInt(totals.refunded)} digits={6} /> },
                { term: text.receiptCompensated, value: <Money wei={BigInt(totals.compensated)} digits={6} /> },
                { term: text.receiptEscrow, value: <Money wei={BigInt(totals.escrow)} digits={6} /> },
                ...(isTerminal(stands.status)
                  ? []
                  : [
                      { term: text.receiptDue, value: <Money wei={BigInt(totals.escrow) - money.backWei} digits={6} /> },
                      { term: text.receiptYours, value: <Money wei={money.backWei} digits={6} /> },
                    ]),
              ]}
            />
          ) : (
            <Skeleton size="card" />
          )}
        </Card>
      </div>
      {receipt.isError ? (
        <ErrorState title={text.receiptFailed} details={receipt.error.message} onRetry={() => void receipt.refetch()}>
          {text.readSafe}
        </ErrorState>
      ) : (
        <Table
          caption={text.receiptTitle(order.id)}
          columns={columns}
          rows={receipt.data?.lines ?? []}
          rowKey={(line) => `${line.transactionHash}-${line.event}`}
          {...(receipt.data ? {} : { loadingRows: 3 })}
        />
      )}
    </Page>
  )
}
