import { MAX_MONTHS, MIN_MONTHS } from '@rackfair/core'
import { useMessages } from '../../i18n/useMessages.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { Slider } from '../../ui/Slider.tsx'
import { purchaseMessages } from './messages.ts'
import { readMonths, sliderMonths } from './monthsField.ts'
import { useMonthsText } from './useMonthsText.ts'

/** The months, as a figure and as a slider. */
export function DurationField({ value, onChange, label }: { value: string; onChange: (text: string) => void; label: string }) {
  const text = useMessages(purchaseMessages)
  const monthsText = useMonthsText()
  const months = sliderMonths(value)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h2 className="text-base">{label}</h2>
          <p className="text-xs text-ink-3">{text.durationHint}</p>
        </div>
        <div className="w-40">
          <Field label={label} hideLabel error={readMonths(value) === undefined ? text.monthsProblem : undefined}>
            <NumberInput value={value} onChange={onChange} decimals={false} unit={text.months} maxLength={4} />
          </Field>
        </div>
      </div>
      <Slider
        label={label}
        min={MIN_MONTHS}
        max={MAX_MONTHS}
        value={months}
        valueText={monthsText(months)}
        marks={[1, 12, 36, 60, 120]}
        onChange={(next) => onChange(String(next))}
      />
    </div>
  )
}
