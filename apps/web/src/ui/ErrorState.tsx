import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from './Button.tsx'
import { uiMessages } from './messages.ts'

export interface ErrorStateProps {
  /** What happened. */
  title: string
  /** What is safe, and what to do. */
  children?: ReactNode
  /** The whole error, one click away. */
  details?: string | undefined
  onRetry?: () => void
  retrying?: boolean
  action?: ReactNode
}

export function ErrorState({ title, children, details, onRetry, retrying = false, action }: ErrorStateProps) {
  const text = useMessages(uiMessages)
  return (
    <div role="alert" className="flex flex-col items-start gap-3 rounded-lg border border-bad bg-raised px-6 py-5">
      <h2 className="text-base text-bad">{title}</h2>
      {children !== undefined && <div className="max-w-read text-ink-2">{children}</div>}
      {details !== undefined && (
        <details className="w-full text-xs text-ink-2">
          <summary>{text.details}</summary>
          <p className="num mt-1 max-h-40 overflow-y-auto break-words">{details}</p>
        </details>
      )}
      <div className="flex gap-2.5">
        {onRetry && (
          <Button onClick={onRetry} pending={retrying}>
            {text.retry}
          </Button>
        )}
        {action}
      </div>
    </div>
  )
}
