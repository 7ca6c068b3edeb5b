import type { AppError } from '@rackfair/core'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { purchaseMessages } from './messages.ts'

/** A transaction whose end is not known: its money may be spent. */
const OPEN_ENDED = ['transaction_timeout', 'rpc_unreachable']

export interface PaymentErrorProps {
  error: AppError | Error
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
  const open = sent && 'code' in error && OPEN_ENDED.includes(error.code as string)
  return (
    <Dialog open onClose={onClose} title={title} footer={<Button onClick={onClose}>{text.close}</Button>}>
      <div role="alert" className="flex flex-col gap-3">
        <p className="break-words">{written.short}</p>
        <p className="text-ink-2">{open ? text.errorUnknown : safe}</p>
        <details className="text-xs text-ink-2">
          <summary>{text.wholeText}</summary>
          <p className="num mt-1 max-h-40 overflow-y-auto break-words whitespace-pre-line">{written.details}</p>
        </details>
      </div>
    </Dialog>
  )
}
