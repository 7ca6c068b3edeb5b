import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { ErrorDialog } from '../../ui/ErrorDialog.tsx'
import { purchaseMessages } from './messages.ts'

/** A transaction whose end is not known: its money may be spent. */
const OPEN_ENDED = ['transaction_timeout', 'rpc_unreachable']

export interface PaymentErrorProps {
  error: Error
  title: string
  safe: string
  /** True once a transaction has left the wallet. */
  sent: boolean
  onClose: () => void
}

/** The popup of a failed purchase: 100 characters, the whole text one click away, and what is safe. */
export function PaymentError({ error, title, safe, sent, onClose }: PaymentErrorProps) {
  const text = useMessages(purchaseMessages)
  const written = useErrorText()(error)
  const open = sent && 'code' in error && OPEN_ENDED.includes(String(error.code))
  return (
    <ErrorDialog title={title} text={written.short} details={written.details} onClose={onClose}>
      {open ? text.errorUnknown : safe}
    </ErrorDialog>
  )
}
