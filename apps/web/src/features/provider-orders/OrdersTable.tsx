import { nodeName } from '@rackfair/rules/node/name'
import { settleableWei } from '@rackfair/rules/order/money'
import { type Order, orderTerms } from '@rackfair/rules/order/order'
import { orderEnd } from '@rackfair/rules/order/time'
import { useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Address } from '../../ui/Address.tsx'
import { Money } from '../../ui/Money.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { DropOrderDialog } from './DropOrderDialog.tsx'
import { soldOrderMessages } from './messages.ts'
import { OrderButtons } from './OrderButtons.tsx'
import { orderState } from './orderState.ts'

const PAGE = 20

export function OrdersTable({ orders, now }: { orders: readonly Order[]; now: number }) {
  const text = useMessages(soldOrderMessages)
  const format = useFormat()
  const [page, setPage] = useState(1)
  const [dropping, setDropping] = useState<Order>()
  const pages = Math.max(1, Math.ceil(orders.length / PAGE))
  const at = Math.min(page, pages)

  const columns: Column<Order>[] = [
    {
      key: 'order',
      title: text.order,
      head: true,
      cell: (order) => (
        <TextLink to={`/orderinfo?id=${order.id}`} strong>
          {text.number(order.id)}
        </TextLink>
      ),
    },
    { key: 'node', title: text.node, cell: (order) => nodeName(order.providerName, order.nodeId) },
    { key: 'buyer', title: text.buyer, cell: (order) => <Address value={order.user} /> },
    {
      key: 'state',
      title: text.state,
      cell: (order) => {
        const state = orderState(order, now)
        return <StateDot tone={state.tone}>{text.status[state.word]}</StateDot>
      },
    },
    {
      key: 'ends',
      title: text.ends,
      cell: (order) =>
        order.activateTime === 0 ? (
          <span className="text-ink-3">{text.endsUnknown}</span>
        ) : (
          format.date(order.closeTime > 0 ? Math.min(order.closeTime, orderEnd(order)) : orderEnd(order))
        ),
    },
    {
      key: 'earned',
      title: text.earned,
      numeric: true,
      cell: (order) => (
        <span>
          <Money wei={order.remunerationWei} />{' '}
          <span className="text-xs text-ink-3">{text.ofTotal(format.usd(order.totalValueWei))}</span>
        </span>
      ),
    },
    {
      key: 'due',
      title: text.toSettle,
      numeric: true,
      cell: (order) => (
        <Money wei={order.pendingUntil > 0 ? order.remainWei : settleableWei(orderTerms(order), now)} digits={4} />
      ),
    },
    {
      key: 'actions',
      title: text.actions,
      actions: true,
      cell: (order) => <OrderButtons order={order} now={now} onDrop={() => setDropping(order)} />,
    },
  ]
  return (
    <>
      <Table
        caption={text.title}
        columns={columns}
        rows={orders.slice((at - 1) * PAGE, at * PAGE)}
        rowKey={(order) => order.id}
      />
      <Pagination page={at} pages={pages} onChange={setPage} />
      {dropping && <DropOrderDialog order={dropping} onClose={() => setDropping(undefined)} />}
    </>
  )
}
