import { orderActions } from '@rackfair/rules/order/actions'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerOrdersQuery } from '../../entities/order/queries.ts'
import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { soldOrderMessages } from './messages.ts'
import { OrdersTable } from './OrdersTable.tsx'
import { useSettle } from './useSettle.ts'

/** The contract settles at most this many orders in one transaction. */
const SETTLE_MOST = 50

/** The orders of the provider: settle, start, drop. */
export function OrdersPanel({ address }: { address: string }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(soldOrderMessages)
  const errorText = useErrorText()
  const orders = useQuery(providerOrdersQuery(address))
  return (
    <Loaded
      query={orders}
      failed={text.failed}
      safe={shared.readSafe}
      details={(error) => errorText(error).details}
      skeleton={<Skeleton size="panel" />}
    >
      {(orders) =>
        orders.length === 0 ? <EmptyState title={text.emptyTitle}>{text.emptyText}</EmptyState> : <Orders orders={orders} />
      }
    </Loaded>
  )
}

function Orders({ orders }: { orders: readonly Order[] }) {
  const text = useMessages(soldOrderMessages)
  const now = useNow(5000)
  const [filter, setFilter] = useState<'open' | 'all'>('open')
  const { busy, settle } = useSettle()
  const shown = filter === 'all' ? orders : orders.filter((order) => !isTerminal(order.status))
  const due = orders.filter((order) => orderActions(order, undefined, 'provider', now).settle === 'yes').slice(0, SETTLE_MOST)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Choice
          label={text.filter}
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'open', label: text.open },
            { value: 'all', label: text.all },
          ]}
        />
        {due.length > 1 && (
          <Button size="sm" pending={busy} onClick={() => void settle(due.map((order) => order.orderId))}>
            {text.settleAll(due.length)}
          </Button>
        )}
      </div>
      {shown.length === 0 ? <p className="py-6 text-ink-3">{text.noneOpen}</p> : <OrdersTable orders={shown} now={now} />}
    </div>
  )
}
