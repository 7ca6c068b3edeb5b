import { type ReactNode, useId } from 'react'
import { FieldContext } from './fieldContext.ts'

export interface FieldProps {
  label: string
  /** One line under the label. */
  hint?: ReactNode
  /** What is wrong with the value; announced. */
  error?: string | undefined
  /** Stands at the right of the label, for example a market median. */
  aside?: ReactNode
  hideLabel?: boolean
  children: ReactNode
}

/** Label, input, hint and error that belong together. Any input of `ui/` finds its ids by itself. */
export function Field({ label, hint, error, aside, hideLabel = false, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ') || undefined
  return (
    <FieldContext value={{ id, describedBy, invalid: error !== undefined }}>
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className={hideLabel ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {aside !== undefined && <span className="text-xs text-ink-3">{aside}</span>}
        </div>
        {children}
        {hint !== undefined && (
          <div id={hintId} className="text-xs text-ink-3">
            {hint}
          </div>
        )}
        <div id={errorId} aria-live="polite" className="text-xs text-bad empty:hidden">
          {error}
        </div>
      </div>
    </FieldContext>
  )
}
