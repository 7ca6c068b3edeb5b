import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { maySpend } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import type { KeyFormState } from './useKeyForm.ts'

/** Whom a key may pay: anybody, or the providers that its owner trusts. */
export function KeyPlacesField({ form, wasLimited }: { form: KeyFormState; wasLimited: boolean }) {
  const text = useMessages(keyMessages)
  const { fields, set, isWrong } = form
  if (!maySpend(fields.rights)) return null
  return (
    <div className="flex flex-col gap-3">
      <Choice
        label={text.places}
        value={fields.at}
        onChange={(at) => set({ at })}
        options={(['any', 'listed'] as const).map((value) => ({ value, label: text.place[value] }))}
      />
      {fields.at === 'listed' && (
        <Field
          label={text.providers}
          hint={wasLimited ? text.providersAgain : text.providersHint}
          error={isWrong('providers') ? text.providersWrong : undefined}
        >
          <TextArea mono rows={3} value={fields.providers} onChange={(providers) => set({ providers })} maxLength={4_000} />
        </Field>
      )}
    </div>
  )
}
