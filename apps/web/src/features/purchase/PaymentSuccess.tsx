import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { purchaseMessages } from './messages.ts'

export interface PaymentSuccessProps {
  title: string
  /** The same in plain words, larger. */
  said: string
  /** However it is closed, it leads to My orders. */
  onClose: () => void
  /** Offers to deploy on what was bought. */
  onDeploy?: (() => void) | undefined
  /** Where the application is known already. */
  deployLabel?: string | undefined
  children: string
}

/** The popup of a finished purchase. */
export function PaymentSuccess({ title, said, onClose, onDeploy, deployLabel, children }: PaymentSuccessProps) {
  const text = useMessages(purchaseMessages)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        onDeploy ? (
          <>
            <Button onClick={onClose}>{text.toMyOrders}</Button>
            <Button data-start variant="primary" onClick={onDeploy}>
              {deployLabel ?? text.deploy}
            </Button>
          </>
        ) : (
          <Button data-start variant="primary" onClick={onClose}>
            {text.toMyOrders}
          </Button>
        )
      }
    >
      <p className="mb-2 text-2xl font-semibold tracking-tight">{said}</p>
      <p>{children}</p>
    </Dialog>
  )
}
