import { ChevronDown } from 'lucide-react'
import { INPUT_CLASS, useFieldIds } from './fieldContext.ts'

export interface SelectProps<Value extends string> {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  mono?: boolean
  label?: string
}

/** The browser's own list: best by keyboard, on phones and with screen readers. */
export function Select<Value extends string>({ value, onChange, options, mono = false, label }: SelectProps<Value>) {
  const field = useFieldIds()
  return (
    <span className="relative flex items-center">
      <select
        id={field.id}
        aria-label={label}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className={`${INPUT_CLASS} appearance-none pr-8 ${mono ? 'num' : ''}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-2.5 size-4 text-ink-3" />
    </span>
  )
}
