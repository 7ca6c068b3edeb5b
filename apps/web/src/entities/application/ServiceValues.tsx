import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { LinesInput } from './LinesInput.tsx'
import { ownMessages } from './messages.ts'

/** The values that a file of several services names and does not have, each once, whichever of them receive it. */
export function ServiceValues({
  names,
  values,
  onChange,
}: {
  names: readonly string[]
  values: Readonly<Record<string, string>>
  onChange: (values: Readonly<Record<string, string>>) => void
}) {
  const text = useMessages(ownMessages)
  if (names.length === 0) return null
  return (
    <Card title={text.secretValues} aside={text.secretValuesAside}>
      <div className="grid gap-4 sm:grid-cols-2">
        {names.map((name) => (
          <Field key={name} label={name}>
            <LinesInput masked value={values[name] ?? ''} onChange={(value) => onChange({ ...values, [name]: value })} />
          </Field>
        ))}
      </div>
      <p className="mt-3 text-xs text-ink-3">{text.secretsText}</p>
    </Card>
  )
}
