import { AppError } from '@rackfair/rules/errors/AppError'
import { droppedBy, orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { OrderStatus, shownStatus } from '@rackfair/rules/order/status'
import { orderTime } from '@rackfair/rules/order/time'
import { useApplication } from '../../entities/order/useApplication.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { DroppedNotice } from './DroppedNotice.tsx'
import { expiryWarning } from './expiryWarning.ts'
import { MaintenanceNotice } from './MaintenanceNotice.tsx'
import { orderMessages } from './messages.ts'
import { RenewalNotice } from './RenewalNotice.tsx'

export interface OrderNoticesProps {
  order: Order
  now: number
  /** Opens the cancel of the order's own page, which shows a failed deployment by itself. */
  onCancel?: () => void
}

/** What a buyer should know about an order before anything goes wrong. */
export function OrderNotices({ order, now, onCancel }: OrderNoticesProps) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const time = orderTime(order, now)
  const { application, latest, asked } = useApplication(order, now)
  const errorText = useErrorText()
  const failed = latest?.phase === 'Failed' ? latest.steps.at(-1) : undefined
  const notStarted = latest?.details?.earlierRuns ? text.updateFailed : text.deployFailed
  const dropped = droppedBy(order, now)
  const warning = expiryWarning(time)
  const back = format.usd(orderMoney(order, now).backWei)
  const silent = shownStatus(order, now) === OrderStatus.Active && order.node !== null && !order.node.online
  return (
    <>
      {dropped && !onCancel && <DroppedNotice order={order} dropped={dropped} who="buyer" />}
      {time.phase === 'waiting' && !dropped && (
        <Notice title={application.state === 'busy' ? text.waitingTitle : text.readyTitle}>
          {text.waitingUntil(format.dateTime(time.startBefore))}
        </Notice>
      )}
      {failed && !onCancel && (
        <Notice
          tone="bad"
          title={latest?.deployId === 0 ? text.cleanFailed : notStarted(asked || text.theApp)}
          actions={<ButtonLink to={`/orderdeploy/${order.id}/`}>{text.seeWhy}</ButtonLink>}
        >
          {errorText(new AppError(failed.code ?? 'unknown', failed.message ?? failed.code ?? '')).short}
        </Notice>
      )}
      {time.phase === 'expired' && <Notice tone="info" title={text.expiredText} />}
      {silent && order.node && !dropped && (
        <Notice
          tone="warn"
          actions={onCancel && <Button onClick={onCancel}>{text.cancelFor(back)}</Button>}
          title={order.node.offlineSince === null ? text.offline : text.offlineSince(format.ago(order.node.offlineSince, now))}
        >
          {text.offlineText(back)}
        </Notice>
      )}
      <MaintenanceNotice order={order} now={now} />
      <RenewalNotice order={order} now={now}>
        {warning && time.phase === 'running' && (
          <Notice tone={warning === 'very_soon' ? 'bad' : 'warn'} title={text.expirySoon(format.duration(time.leftSeconds))}>
            {text.expiryText}
          </Notice>
        )}
      </RenewalNotice>
    </>
  )
}
