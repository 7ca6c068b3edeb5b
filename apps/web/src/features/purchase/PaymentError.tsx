import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { ErrorDialog } from '../../ui/ErrorDialog.tsx'
import { purchaseMessages } from './messages.ts'

/** Outcomes of a sent transaction that leave the fee in the wallet. After any other error it may be spent. */
const WITHOUT_FEE = ['transaction_reverted', 'transaction_replaced']

/** Nobody knows whether it was sent, whatever the wallet said. */
const UNKNOWN = ['transaction_unknown', 'transaction_timeout']

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
  const code = 'code' in error ? String(error.code) : ''
  const open = UNKNOWN.includes(code) || (sent && !WITHOUT_FEE.includes(code))
  return (
    <ErrorDialog title={title} text={written.short} details={written.details} onClose={onClose}>
      {open ? text.errorUnknown : safe}
    </ErrorDialog>
  )
}
