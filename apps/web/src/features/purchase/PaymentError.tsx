import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { ErrorDialog } from '../../ui/ErrorDialog.tsx'
import { purchaseMessages } from './messages.ts'

/** Outcomes of a sent transaction that leave the fee in the wallet. After any other error it may be spent. */
const WITHOUT_FEE = ['transaction_reverted', 'transaction_replaced']

export interface PaymentErrorProps {
  error: Error
  title: string
  safe: string
  /** True once the wallet has taken the transaction. */
  sent: boolean
  onClose: () => void
}

/** The popup of a failed purchase: 100 characters, the whole text one click away, and what is safe. */
export function PaymentError({ error, title, safe, sent, onClose }: PaymentErrorProps) {
  const text = useMessages(purchaseMessages)
  const written = useErrorText()(error)
  const open = sent && !('code' in error && WITHOUT_FEE.includes(String(error.code)))
  return (
    <ErrorDialog title={title} text={written.short} details={written.details} onClose={onClose}>
      {open ? text.errorUnknown : safe}
    </ErrorDialog>
  )
}
