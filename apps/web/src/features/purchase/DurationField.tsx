import { useMessages } from '../../i18n/useMessages.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { Slider } from '../../ui/Slider.tsx'
import { purchaseMessages } from './messages.ts'
import { readMonths, SLIDER_MONTHS, sliderPlace } from './monthsField.ts'
import { useMonthsText } from './useMonthsText.ts'

const MARKED_MONTHS = [1, 3, 6, 12, 24, 36, 60, 120]

/** The months, as a figure and as a slider. */
export function DurationField({ value, onChange, label }: { value: string; onChange: (text: string) => void; label: string }) {
  const text = useMessages(purchaseMessages)
  const monthsText = useMonthsText()
  const place = sliderPlace(value)
  const monthsAt = (at: number) => SLIDER_MONTHS[at] as number
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
        min={0}
        max={SLIDER_MONTHS.length - 1}
        value={place}
        valueText={monthsText(readMonths(value) ?? monthsAt(place))}
        marks={MARKED_MONTHS.map((months) => SLIDER_MONTHS.indexOf(months))}
        markText={(mark) => String(monthsAt(mark))}
        onChange={(next) => onChange(String(monthsAt(next)))}
      />
    </div>
  )
}
