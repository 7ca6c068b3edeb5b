import { useMessages } from '../../i18n/useMessages.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { maySpend } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import type { KeyFormState } from './useKeyForm.ts'

/** What a key may spend, where it may spend at all, and how long it is good. */
export function KeyLimitFields({ form }: { form: KeyFormState }) {
  const text = useMessages(keyMessages)
  const { fields, set, isWrong } = form
  const spends = maySpend(fields.rights)
  return (
    <>
      {spends && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <AmountField form={form} field="total" />
            <AmountField form={form} field="refill" placeholder="0" />
          </div>
          <div className="grid grid-cols-2 gap-3">
            <AmountField form={form} field="hour" placeholder={text.any} />
            <AmountField form={form} field="gpuHour" placeholder={text.any} />
          </div>
        </>
      )}
      <div className="grid grid-cols-2 gap-3">
        {spends && (
          <Field label={text.hours} error={isWrong('hours') ? text.hoursWrong : undefined}>
            <NumberInput
              decimals={false}
              value={fields.hours}
              onChange={(typed) => set({ hours: typed })}
              unit={text.units.hours}
              placeholder={text.any}
              maxLength={6}
            />
          </Field>
        )}
        <Field label={text.days} error={isWrong('days') ? text.daysWrong : undefined}>
          <NumberInput
            decimals={false}
            value={fields.days}
            onChange={(typed) => set({ days: typed })}
            unit={text.units.days}
            maxLength={5}
          />
        </Field>
      </div>
    </>
  )
}

interface AmountFieldProps {
  form: KeyFormState
  field: 'total' | 'refill' | 'hour' | 'gpuHour'
  /** What an empty field means. */
  placeholder?: string
}

function AmountField({ form, field, placeholder }: AmountFieldProps) {
  const text = useMessages(keyMessages)
  return (
    <Field label={text[field]} error={form.isWrong(field) ? text.totalWrong : undefined}>
      <NumberInput
        value={form.fields[field]}
        onChange={(typed) => form.set({ [field]: typed })}
        unit={text.units.usd}
        placeholder={placeholder}
        maxLength={24}
      />
    </Field>
  )
}
