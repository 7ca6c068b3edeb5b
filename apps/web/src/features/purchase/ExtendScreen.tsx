import { useNamedOrder } from '../../entities/order/useNamedOrder.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useParam } from '../../platform/browser/searchParams.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Extension } from './Extension.tsx'
import { purchaseMessages } from './messages.ts'
import { PurchaseSkeleton } from './PurchaseSkeleton.tsx'

/** `/extendorder?id=` */
export function ExtendScreen() {
  const text = useMessages(purchaseMessages)
  const id = useParam('id') ?? ''
  const { order, missing } = useNamedOrder(id)
  return (
    <Page>
      <PageTitle
        title={text.extendTitle(id)}
        trail={[
          { label: text.myOrders, to: '/myspace' },
          ...(missing ? [] : [{ label: text.orderTrail(id), to: `/orderinfo?id=${id}` }]),
          { label: text.extendTrail },
        ]}
      />
      <Loaded
        query={order}
        failed={text.orderReadFailed}
        safe={text.readSafe}
        missing={
          missing && { title: text.orderNotFoundTitle, text: text.orderNotFoundText, to: '/myspace', label: text.myOrders }
        }
        skeleton={<PurchaseSkeleton />}
      >
        {(order) => <Extension key={id} order={order} />}
      </Loaded>
    </Page>
  )
}
