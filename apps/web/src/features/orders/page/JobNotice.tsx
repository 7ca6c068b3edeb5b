import { orderActions } from '@rackfair/rules/order/actions'
import { orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { orderMessages } from '../messages.ts'

export interface JobNoticeProps {
  order: Order
  now: number
  onCancel: () => void
}

/** How the job of an order ended, and the cancel that its buyer signed for. */
export function JobNotice({ order, now, onCancel }: JobNoticeProps) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { latest } = useApplication(order, now)
  const { exit, job } = latest?.details ?? {}
  if (latest?.phase !== 'Finished' || !exit) return null
  const back = format.usd(orderMoney(order, now).backWei)
  const cancels = job === 'cancel' && orderActions(order, latest, 'buyer', now).cancel === 'yes'
  const isWell = exit.code === 0 && !exit.outOfMemory
  return (
    <Notice
      tone={isWell ? 'info' : 'warn'}
      title={isWell ? text.jobDone : exit.outOfMemory ? text.jobOutOfMemory : text.jobFailed(String(exit.code))}
      actions={
        cancels && (
          <Button variant="primary" onClick={onCancel}>
            {text.cancelFor(back)}
          </Button>
        )
      }
    >
      {cancels ? text.jobCancel(back) : text.jobKept}
    </Notice>
  )
}
