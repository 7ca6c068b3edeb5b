import type { OrderReceipt, ReceiptAmounts, ReceiptEntry } from '@rackfair/sdk/http'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Hash } from '../../../ui/Hash.tsx'
import { Money } from '../../../ui/Money.tsx'
import { type Column, Table } from '../../../ui/Table.tsx'
import { orderMessages } from '../messages.ts'
import { receiptEvent } from './receiptEvent.ts'

type Line = ReceiptEntry

/** What happened to the money, line by line, each with its transaction. */
export function ReceiptLines({ receipt }: { receipt: OrderReceipt }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const amount = (title: string, key: keyof ReceiptAmounts): Column<Line> => ({
    key,
    title,
    numeric: true,
    cell: (line) => (line[key] === 0n ? '–' : <Money wei={line[key]} digits={6} />),
  })
  const columns: Column<Line>[] = [
    {
      key: 'time',
      title: text.receiptTime,
      head: true,
      cell: (line) => <span className="num text-xs whitespace-nowrap">{format.utc(line.time)}</span>,
    },
    { key: 'event', title: text.receiptEvent, cell: (line) => receiptEvent(line.event, text) },
    {
      key: 'seconds',
      title: text.receiptSeconds,
      numeric: true,
      cell: (line) => (line.seconds === null ? '–' : format.number(line.seconds)),
    },
    amount(text.receiptPaid, 'paidWei'),
    amount(text.receiptEarned, 'earnedWei'),
    amount(text.receiptRefunded, 'refundedWei'),
    ...(receipt.totals.compensatedWei === 0n ? [] : [amount(text.receiptCompensated, 'compensatedWei')]),
    { key: 'hash', title: text.receiptTransaction, numeric: true, cell: (line) => <Hash value={line.transactionHash} /> },
  ]
  return (
    <div className="sheet-lines">
      <Table
        caption={text.receiptTitle(receipt.order.id)}
        columns={columns}
        rows={receipt.lines}
        rowKey={(line) => `${line.transactionHash}-${line.event}`}
      />
    </div>
  )
}
