import { Check, Copy } from 'lucide-react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'
import { useCopy } from './useCopy.ts'

/** Monospaced text with a button that copies `value`; `children` may be a short form of it. */
export function Copyable({ value, children }: { value: string; children?: string }) {
  const text = useMessages(uiMessages)
  const { copied, copy } = useCopy()
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <span className="num min-w-0 break-all" title={value}>
        {children ?? value}
      </span>
      <button
        type="button"
        aria-label={copied ? text.copied : `${text.copy} ${children ?? value}`}
        onClick={() => void copy(value)}
        className="shrink-0 rounded-sm p-0.5 text-ink-3 hover:text-ink"
      >
        {copied ? <Check aria-hidden className="size-3.5 text-idle" /> : <Copy aria-hidden className="size-3.5" />}
      </button>
      <span aria-live="polite" className="sr-only">
        {copied ? text.copied : ''}
      </span>
    </span>
  )
}
