import type { Order } from '@rackfair/rules/order/order'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toastStore.ts'
import { RequireWallet } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { useOrderCall } from './useOrderCall.ts'

/** Ends the probation early. */
export function ConfirmDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { call, busy, phase } = useOrderCall()
  const confirm = async () => {
    if (!(await call(order.orderId, 'userConfirm', text.confirmDescription(order.id)))) return
    toast({ tone: 'good', title: text.confirmDone(order.id) })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.confirmTitle(order.id)}
      footer={
        <Button variant="primary" pending={busy} onClick={() => void confirm()}>
          {phase === 'wallet' ? text.inWallet : phase === 'submitted' ? text.waitingChain : text.confirmDo}
        </Button>
      }
    >
      <RequireWallet>
        <p className="text-ink-2">{text.confirmText(format.dateTime(order.activateTime + order.probation))}</p>
      </RequireWallet>
    </Dialog>
  )
}
