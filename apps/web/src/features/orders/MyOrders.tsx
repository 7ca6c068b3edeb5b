import type { Order } from '@rackfair/rules/order/order'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { userOrdersQuery } from '../../entities/order/queries.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { LoadMore } from '../../ui/LoadMore.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { OrderCard } from './OrderCard.tsx'
import type { RenderClean } from './OrderDialogs.tsx'
import { filterOrders, ORDER_FILTERS, type OrderFilter, readOrderFilter } from './orderFilter.ts'

const PAGE = 24

/** The orders of the connected wallet. */
export function MyOrders({ renderClean }: { renderClean: RenderClean }) {
  const text = useMessages(orderMessages)
  const user = useAccountState().lowerCase ?? ''
  const orders = useQuery(userOrdersQuery(user))
  return (
    <Loaded
      strict
      query={orders}
      failed={text.readFailed}
      safe={text.readSafe}
      skeleton={
        <div className="cols-cards">
          <Skeleton size="panel" />
          <Skeleton size="panel" />
          <Skeleton size="panel" />
        </div>
      }
    >
      {(all) => <OrderCards all={all} renderClean={renderClean} />}
    </Loaded>
  )
}

function OrderCards({ all, renderClean }: { all: readonly Order[]; renderClean: RenderClean }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const now = useNow()
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState(PAGE)
  const findMachine = (
    <ButtonLink to="/nodelist" variant="primary">
      {text.findMachine}
    </ButtonLink>
  )
  if (all.length === 0)
    return (
      <EmptyState title={text.emptyTitle} action={findMachine}>
        {text.emptyText}
      </EmptyState>
    )

  const filter = readOrderFilter(params.get('show') ?? undefined)
  const choose = (next: OrderFilter) => {
    setShown(PAGE)
    setParams({ show: next }, { replace: true })
  }
  const list = filterOrders(all, filter)
  const active = filterOrders(all, 'active')
  const escrowWei = active.reduce((sum, order) => sum + order.remainWei, 0n)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2">{text.lead(active.length, format.usd(escrowWei))}</p>
        <Choice
          label={text.filter}
          value={filter}
          onChange={choose}
          options={ORDER_FILTERS.map((value) => ({
            value,
            label: text.filters[value](format.number(filterOrders(all, value).length)),
          }))}
        />
      </div>
      {list.length === 0 ? (
        <EmptyState title={filter === 'ended' ? text.emptyEnded : text.emptyActive} action={findMachine}>
          {filter === 'ended' ? undefined : text.emptyActiveText}
        </EmptyState>
      ) : (
        <div className="cols-cards">
          {list.slice(0, shown).map((order) => (
            <OrderCard key={order.id} order={order} now={now} renderClean={renderClean} />
          ))}
        </div>
      )}
      {list.length > shown && <LoadMore onLoad={() => setShown(shown + PAGE)} pending={false} />}
    </>
  )
}
