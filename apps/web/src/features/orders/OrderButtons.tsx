import { orderActions, whoIs } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useApplication } from '../../lib/orders/useApplication.ts'
import { useBlockerText } from '../../lib/orders/useBlockerText.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { VisitButton } from '../../workspace/VisitButton.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { orderMessages } from './messages.ts'

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
  const { latest, name } = useApplication(order, now)
  const { address } = useAccountState()
  const blockerText = useBlockerText()
  const can = orderActions(order, latest, whoIs(order, address), now)
  const close = () => setDialog(undefined)
  const strong = prominent ? 'primary' : 'accent'
  const deployPath = `/orderdeploy/${order.id}/`
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      {can.visit === 'yes' && <VisitButton order={order} latest={latest} variant={strong} />}
      {can.deploy === 'yes' && (
        <ButtonLink to={deployPath} variant={strong}>
          {text.deploy}
        </ButtonLink>
      )}
      {can.deploy !== 'yes' && (can.deploy.code === 'under_way' || can.deploy.code === 'reading') && (
        <Button disabledReason={blockerText(can.deploy, name)} reasonAs="tooltip">
          {can.deploy.code === 'reading' && order.deployed ? text.visit : text.deploy}
        </Button>
      )}
      {can.deploy !== 'yes' && can.deploy.code === 'under_way' && <ButtonLink to={deployPath}>{text.progress}</ButtonLink>}
      {can.clean === 'yes' && <Button onClick={() => setDialog('clean')}>{text.clean}</Button>}
      {can.extend === 'yes' && <ButtonLink to={`/extendorder?id=${order.id}`}>{text.extend}</ButtonLink>}
      {can.extend !== 'yes' && (can.extend.code === 'switched_off' || can.extend.code === 'too_long') && (
        <Button disabledReason={blockerText(can.extend)} reasonAs="tooltip">
          {text.extend}
        </Button>
      )}
      {can.confirm === 'yes' && <Button onClick={() => setDialog('confirm')}>{text.confirm}</Button>}
      {can.cancel === 'yes' && (
        <Button variant="danger" onClick={() => setDialog('cancel')}>
          {text.cancel}
        </Button>
      )}
      {can.cancel !== 'yes' && (
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
