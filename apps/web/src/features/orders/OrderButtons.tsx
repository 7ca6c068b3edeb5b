import { orderActions } from '@rackfair/rules/order/actions'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { useState } from 'react'
import { useApplication } from '../../entities/order/useApplication.ts'
import { useBlockerText } from '../../entities/order/useBlockerText.ts'
import { VisitButton } from '../../entities/workspace/VisitButton.tsx'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { type OrderDialog, OrderDialogs, type RenderClean } from './OrderDialogs.tsx'

export interface OrderButtonsProps {
  order: Order
  now: number
  renderClean: RenderClean
}

/** What a buyer can do with an order, on its card. */
export function OrderButtons({ order, now, renderClean }: OrderButtonsProps) {
  const text = useMessages(orderMessages)
  const [dialog, setDialog] = useState<OrderDialog>()
  const { latest, name } = useApplication(order, now)
  const { lowerCase } = useAccountState()
  const blockerText = useBlockerText()
  const can = orderActions(order, latest, whoIs(order, lowerCase), now)
  const deployPath = `/orderdeploy/${order.id}/`
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      {can.visit === 'yes' && <VisitButton order={order} latest={latest} variant="accent" />}
      {can.deploy === 'yes' && (
        <ButtonLink to={deployPath} variant="accent">
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
          {can.close === 'yes' ? text.dropped.close : text.cancel}
        </Button>
      )}
      {can.cancel !== 'yes' && (
        <>
          <ButtonLink to={`/addorder?provider=${order.provider}&node=${order.nodeId}`} variant="accent">
            {text.buyAgain}
          </ButtonLink>
          <ButtonLink to={`/orderinfo?id=${order.id}`}>{text.detail}</ButtonLink>
        </>
      )}
      <OrderDialogs order={order} dialog={dialog} onClose={() => setDialog(undefined)} renderClean={renderClean} />
    </div>
  )
}
