import { useNamedOrder } from '../../entities/order/useNamedOrder.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useParam } from '../../platform/browser/searchParams.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { orderMessages } from './messages.ts'
import { OrderCockpit, type OrderParts } from './page/OrderCockpit.tsx'
import { OrderSkeleton } from './page/OrderSkeleton.tsx'
import { Receipt } from './receipt/Receipt.tsx'

/** `/orderinfo?id=`, and its printable receipt with `&view=receipt`. */
export function OrderScreen(parts: OrderParts) {
  const text = useMessages(orderMessages)
  const id = useParam('id') ?? ''
  const receipt = useParam('view') === 'receipt'
  const { named, order, missing } = useNamedOrder(id)
  if (order.data && receipt) return <Receipt order={order.data} />
  if (order.data) return <OrderCockpit order={order.data} {...parts} />
  return (
    <Page>
      <PageTitle
        title={named ? text.order(id) : text.notFoundTitle}
        trail={[{ label: text.title, to: '/myspace' }, ...(named ? [{ label: text.order(id) }] : [])]}
      />
      <Loaded
        query={order}
        failed={text.orderReadFailed}
        safe={text.readSafe}
        missing={missing && { title: text.notFoundTitle, text: text.notFoundText, to: '/myspace', label: text.title }}
        skeleton={<OrderSkeleton />}
      >
        {() => null}
      </Loaded>
    </Page>
  )
}
