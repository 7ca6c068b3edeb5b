import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'

/** Leaves the app in a new tab, with an arrow and a word for screen readers. */
export function ExternalLink({
  to,
  className,
  children,
  ...rest
}: {
  to: string
  className?: string
  children: ReactNode
  'aria-label'?: string
}) {
  const text = useMessages(uiMessages)
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className={
        className ?? 'inline-flex items-center gap-1 underline decoration-line-2 underline-offset-4 hover:decoration-ink'
      }
      {...rest}
    >
      {children}
      <ArrowUpRight aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">({text.opensNewTab})</span>
    </a>
  )
}
