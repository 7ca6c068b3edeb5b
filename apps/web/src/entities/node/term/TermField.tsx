import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { Field } from '../../../ui/Field.tsx'
import { NumberInput } from '../../../ui/NumberInput.tsx'
import { readTerm, stepTerm, type Term, UNITS } from './termField.ts'
import { termTexts } from './termTexts.ts'

export interface TermFieldProps {
  value: Term
  onChange: (term: Term) => void
  /** Where the field is not the duration of a new order. */
  label?: string
  /** Below the field, for example when it ends. */
  aside?: ReactNode
  /** While it is being paid for: what stands beside it is of this term. */
  isLocked?: boolean
}

/** For how many hours, days or months: typed, or stepped by one. */
export function TermField({ value, onChange, label, aside, isLocked = false }: TermFieldProps) {
  const text = useMessages(termTexts)
  const { unit } = value
  const step = (by: 1 | -1) => onChange({ unit, text: stepTerm(value, by) })
  return (
    <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-2 disabled:opacity-60">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 className="text-sm font-semibold">{label ?? text.title}</h2>
        <Choice
          label={text.unit}
          value={unit}
          onChange={(next) => onChange({ text: value.text, unit: next })}
          options={UNITS.map((one) => ({ value: one, label: text.units[one] }))}
        />
      </div>
      <div className="flex items-start gap-2">
        <Button aria-label={text.less[unit]} icon={<Minus aria-hidden className="size-4" />} onClick={() => step(-1)} />
        <div className="min-w-0 flex-1">
          <Field
            label={label ?? text.duration}
            hideLabel
            hint={aside || text.hint}
            error={readTerm(value) === undefined ? text.problem : undefined}
          >
            <NumberInput
              value={value.text}
              onChange={(typed) => onChange({ text: typed, unit })}
              decimals={false}
              unit={text.units[unit]}
              maxLength={6}
            />
          </Field>
        </div>
        <Button aria-label={text.more[unit]} icon={<Plus aria-hidden className="size-4" />} onClick={() => step(1)} />
      </div>
    </fieldset>
  )
}
