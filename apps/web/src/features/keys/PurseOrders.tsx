import { nodeName } from '@rackfair/rules/node/name'
import { orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { orderEnd } from '@rackfair/rules/order/time'
import { keepOrderCall, type PurseKey, type PurseOrder } from '@rackfair/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { renewalEnd } from '../../entities/purse/renewalEnd.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { useTransaction } from '../../wallet/index.ts'
import { KeepDialog } from './KeepDialog.tsx'
import { keyMessages } from './messages.ts'
import { useKeyNames } from './useKeyNames.ts'

export interface PurseOrdersProps {
  purse: Address
  keys: readonly PurseKey[]
  orders: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }
  own: readonly Order[] | undefined
  known: ReadonlyMap<string, PurseOrder> | undefined
  /** What the purse holds, and what the orders that it keeps alive cost per month together. */
  holds: { creditWei: bigint; ratePerMonthWei: bigint }
}

/** What runs on a purse: who bought it, what is left, and whether it is renewed. */
export function PurseOrders({ purse, keys, orders, own, known, holds }: PurseOrdersProps) {
  const text = useMessages(keyMessages)
  const { busy, send } = useTransaction()
  const [kept, setKept] = useState<Order>()
  const stop = (order: Order) =>
    send(keepOrderCall(purse, order.orderId, undefined), {
      description: text.describeStop(order.id),
      success: { title: text.isStopped },
    })
  return (
    <Section title={text.orders} aside={<TextLink to="/myspace">{text.allOrders}</TextLink>}>
      <Loaded line query={{ ...orders, data: own }} failed={text.ordersUnread} skeleton={<span className="text-ink-3">–</span>}>
        {(own) =>
          own.length === 0 ? (
            <p className="text-ink-3">{text.noOrders}</p>
          ) : (
            <OrderTable
              orders={own}
              keys={keys}
              known={known}
              holds={holds}
              busy={busy}
              onKeep={setKept}
              onStop={(order) => void stop(order)}
            />
          )
        }
      </Loaded>
      {kept && <KeepDialog purse={purse} order={kept} onClose={() => setKept(undefined)} />}
    </Section>
  )
}

interface OrderTableProps extends Pick<PurseOrdersProps, 'keys' | 'known' | 'holds'> {
  orders: readonly Order[]
  /** While a renewal is being stopped. */
  busy: boolean
  onKeep: (order: Order) => void
  onStop: (order: Order) => void
}

function OrderTable({ orders, keys, known, holds, busy, onKeep, onStop }: OrderTableProps) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const now = useNow(10_000)
  const { nameOf } = useKeyNames()
  const buyer = (order: Order) => {
    const key = keys.find(({ grantId }) => grantId === known?.get(order.id)?.grantId)
    return key ? nameOf(key.key) : text.you
  }
  return (
    <Table
      caption={text.orders}
      rows={orders}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'order',
          title: text.orderColumns.order,
          head: true,
          cell: ({ id }) => <TextLink to={`/orderinfo?id=${id}`}>{id}</TextLink>,
        },
        {
          key: 'by',
          title: text.orderColumns.by,
          cell: (order) => <strong className="font-semibold">{known ? buyer(order) : '–'}</strong>,
        },
        {
          key: 'machine',
          title: text.orderColumns.machine,
          cell: ({ providerName, nodeId }) => nodeName(providerName, nodeId),
        },
        {
          key: 'left',
          title: text.orderColumns.left,
          numeric: true,
          cell: (order) => <Money wei={orderMoney(order, now).backWei} />,
        },
        {
          key: 'ends',
          title: text.orderColumns.ends,
          cell: (order) => (order.activateTime === 0 ? text.notStarted : format.dateTime(orderEnd(order))),
        },
        {
          key: 'kept',
          title: text.orderColumns.kept,
          cell: (order) => {
            const end = renewalEnd(order, known?.get(order.id)?.standing, holds, now)
            if (end === undefined) return text.notKept
            if (!end.isSoon) return text.kept(format.date(end.until))
            return <span className="text-warn">{text.runsOut(format.dateTime(end.until))}</span>
          },
        },
        {
          key: 'actions',
          title: text.orderColumns.actions,
          actions: true,
          cell: (order) =>
            (known?.get(order.id)?.standing?.until ?? 0) > now ? (
              <Button size="sm" pending={busy} aria-label={text.stopOf(order.id)} onClick={() => onStop(order)}>
                {text.stop}
              </Button>
            ) : (
              <Button size="sm" aria-label={text.keepOf(order.id)} onClick={() => onKeep(order)}>
                {text.keep}
              </Button>
            ),
        },
      ]}
    />
  )
}
