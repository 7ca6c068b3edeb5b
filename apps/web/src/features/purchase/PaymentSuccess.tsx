import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { purchaseMessages } from './messages.ts'

/** The popup of a finished purchase; however it is closed, it leads to My orders. */
export function PaymentSuccess({ title, children, onClose }: { title: string; children: string; onClose: () => void }) {
  const text = useMessages(purchaseMessages)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          {text.toMyOrders}
        </Button>
      }
    >
      <p>{children}</p>
    </Dialog>
  )
}
