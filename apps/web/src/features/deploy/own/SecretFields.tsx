import { LinesInput } from '../../../entities/application/LinesInput.tsx'
import { ownMessages } from '../../../entities/application/messages.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Card } from '../../../ui/Card.tsx'
import { Field } from '../../../ui/Field.tsx'
import type { AppForm } from './appForm.ts'

/** The values that a pasted description names and does not have: of its secrets, and of the registry's password. */
export function SecretFields({ form, onChange }: { form: AppForm; onChange: (form: AppForm) => void }) {
  const text = useMessages(ownMessages)
  const secrets = form.env.filter(({ secret }) => secret)
  const files = form.files.filter(({ secret }) => secret !== undefined && !secrets.some(({ name }) => name === secret))
  if (secrets.length === 0 && files.length === 0 && form.username === '') return null
  return (
    <Card title={text.secretValues} aside={text.secretValuesAside}>
      <div className="grid gap-4 sm:grid-cols-2">
        {secrets.map((row) => (
          <Field key={row.key} label={row.name}>
            <LinesInput
              masked
              value={row.value}
              onChange={(value) =>
                onChange({ ...form, env: form.env.map((one) => (one.key === row.key ? { ...one, value } : one)) })
              }
            />
          </Field>
        ))}
        {files.map((row) => (
          <Field key={row.key} label={row.secret ?? ''} hint={row.path}>
            <LinesInput
              masked
              value={row.text}
              onChange={(text) =>
                onChange({ ...form, files: form.files.map((one) => (one.key === row.key ? { ...one, text } : one)) })
              }
            />
          </Field>
        ))}
        {form.username !== '' && (
          <Field label={text.password}>
            <LinesInput masked value={form.password} onChange={(password) => onChange({ ...form, password })} />
          </Field>
        )}
      </div>
      <p className="mt-3 text-xs text-ink-3">{text.secretsText}</p>
    </Card>
  )
}
