import { visitUrl } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { deploymentQuery } from '../../lib/orderQueries.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { orderMessages } from './messages.ts'
import { orderActions } from './orderActions.ts'

/** Draws the dialog that cleans an order's machine; it belongs to the deploy feature, so a route hands it in. */
export type RenderClean = (order: OrderWire, onClose: () => void) => ReactNode

export interface OrderButtonsProps {
  order: OrderWire
  now: number
  renderClean: RenderClean
  /** On the order's own page Visit is the one filled button. */
  prominent?: boolean
}

/** What a buyer can do with an order. */
export function OrderButtons({ order, now, renderClean, prominent = false }: OrderButtonsProps) {
  const text = useMessages(orderMessages)
  const [dialog, setDialog] = useState<'cancel' | 'confirm' | 'clean'>()
  const live = orderActions(order, null, now).cancel
  const deployment = useQuery({ ...deploymentQuery(order.id), enabled: live })
  const can = orderActions(order, deployment.data, now)
  const close = () => setDialog(undefined)
  const strong = prominent ? 'primary' : 'accent'
  const deployPath = `/orderdeploy/${order.id}/`
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      {can.visit && (
        <ButtonLink to={deployment.data?.visitUrl ?? visitUrl(order, BigInt(order.id), order.user)} variant={strong}>
          {text.visit}
        </ButtonLink>
      )}
      {can.deploy === 'yes' && (
        <ButtonLink to={deployPath} variant={strong}>
          {text.deploy}
        </ButtonLink>
      )}
      {can.deploy === 'under_way' && (
        <>
          <Button disabledReason={text.deployWait} reasonAs="tooltip">
            {text.deploy}
          </Button>
          <ButtonLink to={deployPath}>{text.progress}</ButtonLink>
        </>
      )}
      {can.clean && <Button onClick={() => setDialog('clean')}>{text.clean}</Button>}
      {can.extend && <ButtonLink to={`/extendorder?id=${order.id}`}>{text.extend}</ButtonLink>}
      {can.confirm && <Button onClick={() => setDialog('confirm')}>{text.confirm}</Button>}
      {can.cancel && (
        <Button variant="danger" onClick={() => setDialog('cancel')}>
          {text.cancel}
        </Button>
      )}
      {!can.cancel && (
        <>
          <ButtonLink to={`/addorder?provider=${order.provider}&node=${order.node_id}`} variant={strong}>
            {text.buyAgain}
          </ButtonLink>
          {!prominent && <ButtonLink to={`/orderinfo?id=${order.id}`}>{text.detail}</ButtonLink>}
        </>
      )}
      {dialog === 'cancel' && <CancelDialog order={order} onClose={close} />}
      {dialog === 'confirm' && <ConfirmDialog order={order} onClose={close} />}
      {dialog === 'clean' && renderClean(order, close)}
    </div>
  )
}
