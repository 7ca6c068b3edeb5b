import type { ComponentProps, ReactNode } from 'react'
import { INPUT_CLASS, useFieldIds } from './fieldContext.ts'

export interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'className'> {
  value: string
  onChange: (value: string) => void
  /** Figures, addresses and keys stand in the mono face. */
  mono?: boolean
  icon?: ReactNode
  /** A unit or a word at the right end. */
  unit?: ReactNode
  large?: boolean
}

export function TextInput({ value, onChange, mono = false, icon, unit, large = false, ...rest }: TextInputProps) {
  const field = useFieldIds()
  return (
    <span className="relative flex min-w-0 items-center">
      {icon !== undefined && (
        <span className={`pointer-events-none absolute text-ink-3 ${large ? 'left-4' : 'left-2.5'}`}>{icon}</span>
      )}
      <input
        id={field.id}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid || undefined}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${INPUT_CLASS} ${mono ? 'num' : ''} ${large ? 'h-12 text-base' : ''} ${icon === undefined ? '' : large ? 'pl-11' : 'pl-9'} ${unit === undefined ? '' : 'pr-20'}`}
      />
      {unit !== undefined && <span className="pointer-events-none absolute right-2.5 text-xs text-ink-3">{unit}</span>}
    </span>
  )
}
