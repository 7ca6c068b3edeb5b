import { nodeName } from '@rackfair/rules/node/name'
import type { Order } from '@rackfair/rules/order/order'
import { useQuery } from '@tanstack/react-query'
import { presetsQuery } from '../../../entities/order/queries.ts'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { SampleMark } from '../../../entities/sample/SampleMark.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { orderMessages } from '../messages.ts'
import type { OrderDialog } from '../OrderDialogs.tsx'
import { OrderStatusBadge } from '../OrderStatusBadge.tsx'
import { OrderActions } from './OrderActions.tsx'

export interface OrderHeaderProps {
  order: Order
  now: number
  mine: boolean
  onDialog: (dialog: OrderDialog) => void
}

/** What runs on which machine, its state, and what its buyer can do. */
export function OrderHeader({ order, now, mine, onDialog }: OrderHeaderProps) {
  const text = useMessages(orderMessages)
  const { name, application } = useApplication(order, now)
  const presets = useQuery({ ...presetsQuery, enabled: name !== '' })
  const preset = presets.data?.find((one) =>
    application.state === 'present' && application.deployId !== undefined ? one.id === application.deployId : one.name === name,
  )
  const machine = nodeName(order.providerName, order.nodeId)
  return (
    <PageTitle
      title={name === '' ? machine : (preset?.title ?? name)}
      lead={name === '' ? text.ofProvider(order.providerName) : text.onMachine(machine, order.providerName)}
      trail={[{ label: text.title, to: '/myspace' }, { label: text.order(order.id) }]}
      mark={
        preset && (
          <span className="grid size-11 shrink-0 place-items-center rounded-md border border-line-2 bg-raised">
            <img src={`/v1/presets/${preset.logo}`} alt="" width="28" height="28" className="size-7 rounded-sm" />
          </span>
        )
      }
      badges={
        <>
          <OrderStatusBadge order={order} now={now} />
          <SampleMark of={order.node} />
        </>
      }
      actions={mine && <OrderActions order={order} now={now} onDialog={onDialog} />}
    />
  )
}
