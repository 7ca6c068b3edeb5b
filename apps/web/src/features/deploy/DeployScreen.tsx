import { nodeName } from '@rackfair/rules/node/name'
import type { Order } from '@rackfair/rules/order/order'
import { Suspense } from 'react'
import { useNamedOrder } from '../../entities/order/useNamedOrder.ts'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useMessages } from '../../i18n/useMessages.ts'
import { useParam } from '../../platform/browser/searchParams.ts'
import { lazyPart } from '../../platform/loading/lazyPart.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Catalogue } from './Catalogue.tsx'
import { deployMessages } from './messages.ts'

/** The editor brings a reader of yaml, which only those load who use it. */
const OwnApp = lazyPart<{ order: Order }>(async () => (await import('./own/OwnApp.tsx')).default)

/** `/deploy?id=` and `/orderdeploy/{orderid}/` */
export function DeployScreen({ orderId }: { orderId: string | undefined }) {
  const text = useMessages(deployMessages)
  const id = orderId ?? ''
  const isOwn = useParam('app') === 'own'
  const { order, missing } = useNamedOrder(id)
  return (
    <Page>
      <PageTitle
        title={isOwn ? text.ownTitle : text.title}
        trail={[
          { label: text.myOrders, to: '/myspace' },
          ...(order.data ? [{ label: text.order(id), to: `/orderinfo?id=${id}` }] : []),
          ...(isOwn ? [{ label: text.deploy, to: `/orderdeploy/${id}/` }] : []),
        ]}
        badges={<SampleMark of={order.data?.node} />}
        {...(order.data ? { lead: text.lead(nodeName(order.data.providerName, order.data.nodeId)) } : {})}
      />
      <Loaded
        query={order}
        failed={text.readFailed}
        safe={text.readSafe}
        missing={
          missing && {
            title: id === '' ? text.chooseTitle : text.notFoundTitle,
            text: id === '' ? text.chooseText : text.notFoundText,
            to: '/myspace',
            label: text.toOrders,
          }
        }
        skeleton={<Skeleton size="page" />}
      >
        {(order) =>
          isOwn ? (
            <Suspense fallback={<Skeleton size="page" />}>
              <OwnApp order={order} />
            </Suspense>
          ) : (
            <Catalogue order={order} />
          )
        }
      </Loaded>
    </Page>
  )
}
