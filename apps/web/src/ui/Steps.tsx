import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'

export interface Step {
  key: string
  title: ReactNode
  state: 'next' | 'now' | 'done' | 'failed'
  /** At the right end: a time, a transaction. */
  aside?: ReactNode
  /** Under the title, for example why it failed. */
  detail?: ReactNode
}

/** What long work has done and still does. `across` lays it side by side, for wizards. */
export function Steps({ steps, label, across = false }: { steps: readonly Step[]; label: string; across?: boolean }) {
  const text = useMessages(uiMessages)
  const words = { next: text.stepNext, now: text.stepNow, done: text.stepDone, failed: text.stepFailed }
  return (
    <ol aria-label={label} className={across ? 'flex flex-wrap gap-x-8 gap-y-2' : 'flex flex-col'}>
      {steps.map((step) => (
        <li key={step.key} aria-current={step.state === 'now' ? 'step' : undefined} className="flex items-start gap-3 py-2">
          <StepMark state={step.state} />
          <span className="min-w-0 flex-1">
            <span
              className={
                step.state === 'next'
                  ? 'text-ink-3'
                  : step.state === 'now'
                    ? 'font-medium'
                    : step.state === 'failed'
                      ? 'text-bad'
                      : ''
              }
            >
              {step.title}
              <span className="sr-only"> ({words[step.state]})</span>
            </span>
            {step.detail !== undefined && <span className="block text-xs text-ink-2">{step.detail}</span>}
          </span>
          {step.aside !== undefined && <span className="num text-xs text-ink-3">{step.aside}</span>}
        </li>
      ))}
    </ol>
  )
}

function StepMark({ state }: { state: Step['state'] }) {
  const base = 'grid size-5 shrink-0 place-items-center rounded-full'
  if (state === 'done')
    return (
      <span aria-hidden className={`${base} bg-idle text-paper`}>
        <Check className="size-3" />
      </span>
    )
  if (state === 'failed')
    return (
      <span aria-hidden className={`${base} bg-bad text-paper`}>
        <X className="size-3" />
      </span>
    )
  if (state === 'now') return <span aria-hidden className={`${base} animate-spin border-2 border-accent border-r-transparent`} />
  return <span aria-hidden className={`${base} border-2 border-line-2`} />
}
