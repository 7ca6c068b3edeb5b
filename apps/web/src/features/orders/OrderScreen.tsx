import { nodeName, whoIs } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { orderQuery } from '../../lib/orders/orderQueries.ts'
import { useApplication } from '../../lib/orders/useApplication.ts'
import { useParam } from '../../lib/searchParams.ts'
import { useNow } from '../../lib/useNow.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { MachineCard } from './MachineCard.tsx'
import { MoneyCard } from './MoneyCard.tsx'
import { orderMessages } from './messages.ts'
import { OrderButtons, type RenderClean } from './OrderButtons.tsx'
import { OrderNotices } from './OrderNotices.tsx'
import { OrderStatusBadge } from './OrderStatusBadge.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { Receipt } from './Receipt.tsx'
import { TimeCard } from './TimeCard.tsx'
import { Timeline } from './Timeline.tsx'
import { WhoseOrder } from './WhoseOrder.tsx'

export interface OrderScreenProps {
  renderClean: RenderClean
  /** The latest deployment of the order; it belongs to the deploy feature, so a route hands it in. */
  renderDeployment: (order: OrderWire) => ReactNode
}

/** `/orderinfo?id=`, and its printable receipt with `&view=receipt`. */
export function OrderScreen({ renderClean, renderDeployment }: OrderScreenProps) {
  const text = useMessages(orderMessages)
  const id = useParam('id') ?? ''
  const receipt = useParam('view') === 'receipt'
  const named = /^[1-9]\d{0,19}$/.test(id)
  const order = useQuery({ ...orderQuery(id), enabled: named })
  const missing = !named || (order.error !== null && 'code' in order.error && order.error.code === 'not_found')
  if (order.data && receipt) return <Receipt order={order.data} />
  if (order.data) return <Order order={order.data} renderClean={renderClean} renderDeployment={renderDeployment} />
  return (
    <Page>
      <PageTitle
        title={named ? text.order(id) : text.notFoundTitle}
        trail={[{ label: text.title, to: '/myspace' }, ...(named ? [{ label: text.order(id) }] : [])]}
      />
      {missing ? (
        <EmptyState title={text.notFoundTitle} action={<ButtonLink to="/myspace">{text.title}</ButtonLink>}>
          {text.notFoundText}
        </EmptyState>
      ) : order.isError ? (
        <ErrorState
          title={text.orderReadFailed}
          details={order.error.message}
          onRetry={() => void order.refetch()}
          retrying={order.isFetching}
        >
          {text.readSafe}
        </ErrorState>
      ) : (
        <div className="cols-aside">
          <Skeleton size="panel" />
          <Skeleton size="card" />
        </div>
      )}
    </Page>
  )
}

function Order({ order, renderClean, renderDeployment }: OrderScreenProps & { order: OrderWire }) {
  const text = useMessages(orderMessages)
  const now = useNow()
  const account = useAccountState()
  const { name } = useApplication(order, now)
  const machine = nodeName(order.providerName, order.node_id)
  const mine = account.status === 'connected' && account.supported && whoIs(order, account.address) === 'buyer'
  return (
    <Page>
      <PageTitle
        title={name === '' ? machine : text.onMachine(name, machine)}
        trail={[{ label: text.title, to: '/myspace' }, { label: text.order(order.id) }]}
        badges={<OrderStatusBadge order={order} now={now} />}
        actions={mine && <OrderButtons order={order} now={now} renderClean={renderClean} prominent />}
      />
      <WhoseOrder order={order} />
      {mine && <OrderNotices order={order} now={now} />}
      <div className="cols-aside">
        <div className="flex min-w-0 flex-col gap-6">
          <MoneyCard order={order} now={now} />
          {renderDeployment(order)}
          <Timeline order={order} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <TimeCard order={order} now={now} />
          <MachineCard order={order} />
          <ProviderCard order={order} />
        </div>
      </div>
    </Page>
  )
}
