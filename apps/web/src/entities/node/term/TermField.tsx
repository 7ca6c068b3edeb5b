import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { NumberInput } from '../../../ui/NumberInput.tsx'
import { readMonths, stepMonths } from './monthsField.ts'
import { termTexts } from './termTexts.ts'

export interface TermFieldProps {
  value: string
  onChange: (text: string) => void
  /** Where the field is not the duration of a new order. */
  label?: string
  /** At the right of the title, for example when it ends. */
  aside?: ReactNode
}

/** For how many months: typed, or stepped by one. */
export function TermField({ value, onChange, label, aside }: TermFieldProps) {
  const text = useMessages(termTexts)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-sm font-semibold">{label ?? text.title}</h2>
        {aside !== undefined && <span className="text-xs text-ink-3">{aside}</span>}
      </div>
      <div className="flex items-start gap-2">
        <Button
          aria-label={text.less}
          icon={<Minus aria-hidden className="size-4" />}
          onClick={() => onChange(stepMonths(value, -1))}
        />
        <div className="min-w-0 flex-1">
          <Field
            label={label ?? text.duration}
            hideLabel
            hint={text.hint}
            error={readMonths(value) === undefined ? text.problem : undefined}
          >
            <NumberInput value={value} onChange={onChange} decimals={false} unit={text.months} maxLength={4} />
          </Field>
        </div>
        <Button
          aria-label={text.more}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => onChange(stepMonths(value, 1))}
        />
      </div>
    </div>
  )
}
