import { orderActions } from '@rackfair/rules/order/actions'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { standingOf } from '@rackfair/rules/order/status'
import { Ellipsis, RotateCw } from 'lucide-react'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useBlockerText } from '../../../entities/order/useBlockerText.ts'
import { VisitButton } from '../../../entities/workspace/VisitButton.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu.tsx'
import { useAccountState } from '../../../wallet/index.ts'
import { orderMessages } from '../messages.ts'
import type { OrderDialog } from '../OrderDialogs.tsx'

export interface OrderActionsProps {
  order: Order
  now: number
  onDialog: (dialog: OrderDialog) => void
}

/** What a buyer can do on the order's own page. The next step is the one filled button; what ends something is behind the dots. */
export function OrderActions({ order, now, onDialog }: OrderActionsProps) {
  const text = useMessages(orderMessages)
  const { latest, name } = useApplication(order, now)
  const { lowerCase } = useAccountState()
  const blockerText = useBlockerText()
  const can = orderActions(order, latest, whoIs(order, lowerCase), now)
  const standing = standingOf(order, now)
  const item = (key: OrderDialog, label: string, danger = false): MenuItem[] =>
    can[key === 'stop' || key === 'redeploy' ? 'restart' : key] === 'yes'
      ? [{ key, label, danger, onSelect: () => onDialog(key) }]
      : []
  const isOver = latest?.phase === 'Finished'
  const isDropped = can.close === 'yes'
  const more = [
    ...item('confirm', text.confirm),
    ...(isOver ? [] : item('redeploy', text.redeploy)),
    ...item('stop', text.stop),
    ...item('clean', text.clean, true),
    ...(isDropped ? [] : item('cancel', text.cancel, true)),
  ]
  return (
    <div data-page-actions="" className="page-actions">
      {can.extend === 'yes' && <ButtonLink to={`/extendorder?id=${order.id}`}>{text.extend}</ButtonLink>}
      {can.extend !== 'yes' && (can.extend.code === 'switched_off' || can.extend.code === 'too_long') && (
        <Button disabledReason={blockerText(can.extend)} reasonAs="tooltip">
          {text.extend}
        </Button>
      )}
      {can.restart === 'yes' && (
        <Button onClick={() => onDialog(isOver ? 'redeploy' : 'restart')} icon={<RotateCw aria-hidden className="size-4" />}>
          <span className="max-md:sr-only">{isOver ? text.runAgain : text.restart}</span>
        </Button>
      )}
      {more.length > 0 && (
        <Menu items={more}>
          <Button aria-label={text.more} icon={<Ellipsis aria-hidden className="size-4" />} />
        </Menu>
      )}
      {can.start === 'yes' && (
        <Button variant="primary" onClick={() => onDialog('start')}>
          {text.start}
        </Button>
      )}
      {can.visit === 'yes' && <VisitButton order={order} latest={latest} variant="primary" />}
      {can.deploy === 'yes' && (
        <ButtonLink to={`/orderdeploy/${order.id}/`} variant="primary">
          {text.deploy}
        </ButtonLink>
      )}
      {can.deploy !== 'yes' && (can.deploy.code === 'under_way' || can.deploy.code === 'reading') && (
        <Button disabledReason={blockerText(can.deploy, name)} reasonAs="tooltip">
          {can.deploy.code === 'reading' && order.deployed ? text.visit : text.deploy}
        </Button>
      )}
      {isDropped && can.cancel === 'yes' && (
        <Button variant={can.visit === 'yes' ? 'danger' : 'primary'} onClick={() => onDialog('cancel')}>
          {text.dropped.close}
        </Button>
      )}
      {(standing === 'expired' || standing === 'closed') && (
        <ButtonLink to={`/addorder?provider=${order.provider}&node=${order.nodeId}`} variant="primary">
          {text.buyAgain}
        </ButtonLink>
      )}
    </div>
  )
}
