import type { ComponentProps } from 'react'
import { useFieldIds } from './fieldContext.ts'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'className'> {
  value: string
  onChange: (value: string) => void
  mono?: boolean
  /** For secrets, which may have several lines; a field for a password has one. */
  masked?: boolean
}

export function TextArea({ value, onChange, mono = false, masked = false, rows = 4, ...rest }: TextAreaProps) {
  const field = useFieldIds()
  return (
    <textarea
      id={field.id}
      aria-describedby={field.describedBy}
      aria-invalid={field.invalid || undefined}
      spellCheck={false}
      rows={rows}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`w-full rounded-md border border-edge bg-raised px-2.5 py-2 aria-invalid:border-bad ${mono ? 'num text-xs' : ''} ${masked ? '[-webkit-text-security:disc]' : ''}`}
    />
  )
}
