import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { uiMessages } from './messages.ts'

export interface ErrorDialogProps {
  title: string
  /** What happened, cut to the length that is wanted. */
  text: string
  /** The whole of it, one click away. */
  details: string
  /** What is safe, and what to do. */
  children?: ReactNode
  onClose: () => void
}

/** A failure that has to be read before going on. */
export function ErrorDialog({ title, text: short, details, children, onClose }: ErrorDialogProps) {
  const text = useMessages(uiMessages)
  return (
    <Dialog open onClose={onClose} title={title} footer={<Button onClick={onClose}>{text.close}</Button>}>
      <div role="alert" className="flex flex-col gap-3">
        <p className="break-words text-bad">{short}</p>
        {children !== undefined && <div className="text-ink-2">{children}</div>}
        <details className="text-xs text-ink-2">
          <summary>{text.details}</summary>
          <p className="num mt-1 max-h-40 overflow-y-auto break-words whitespace-pre-line">{details}</p>
        </details>
      </div>
    </Dialog>
  )
}
