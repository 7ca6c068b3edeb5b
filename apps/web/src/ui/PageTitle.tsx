import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'
import { TextLink } from './TextLink.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'

export interface PageTitleProps {
  /** Also the title of the browser's tab. */
  title: string
  /** One line under the title. */
  lead?: ReactNode
  /** The way back: shown above the title. */
  trail?: readonly { label: string; to?: string }[]
  /** A small picture before the title. */
  mark?: ReactNode
  /** Badges beside the title. */
  badges?: ReactNode
  /** Buttons at the right end. */
  actions?: ReactNode
}

/** The one h1 of a page. */
export function PageTitle({ title, lead, trail = [], mark, badges, actions }: PageTitleProps) {
  const text = useMessages(uiMessages)
  useDocumentTitle(title)
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        {trail.length > 0 && (
          <nav aria-label={text.breadcrumb} className="mb-2">
            <ol className="flex flex-wrap gap-1.5 text-xs text-ink-3">
              {trail.map((step, index) => (
                <li key={step.label} className="flex gap-1.5">
                  {index > 0 && <span aria-hidden>/</span>}
                  {step.to === undefined ? step.label : <TextLink to={step.to}>{step.label}</TextLink>}
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className="flex items-center gap-3.5">
          {mark}
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-3">
              <h1 className="text-2xl tracking-tight break-words">{title}</h1>
              {badges}
            </div>
            {lead !== undefined && <div className={`text-ink-3 ${mark === undefined ? 'mt-1' : 'text-xs'}`}>{lead}</div>}
          </div>
        </div>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2.5">{actions}</div>}
    </div>
  )
}
