import { checkProviderFields, type ProviderFields } from '@rackfair/rules/formRules'
import { problemText } from '../../../entities/provider/problemText.ts'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Field } from '../../../ui/Field.tsx'
import { NumberInput } from '../../../ui/NumberInput.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { registrationMessages } from '../messages.ts'

export interface ProviderFieldsetProps {
  fields: ProviderFields
  onChange: (fields: ProviderFields) => void
  /** Fields that have been changed, or all after a try to send: only these show what is wrong. */
  judged: ReadonlySet<keyof ProviderFields>
  disabled?: boolean
}

/** Name, IP, Port and Domain. */
export function ProviderFieldset({ fields, onChange, judged, disabled = false }: ProviderFieldsetProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(registrationMessages).details
  const format = useFormat()
  const problems = checkProviderFields(fields)
  const error = (field: keyof ProviderFields) =>
    judged.has(field) ? problemText(shared.problems, format, field, problems[field]) : undefined
  const bind = (field: keyof ProviderFields) => ({
    name: field,
    value: fields[field],
    disabled,
    onChange: (value: string) => onChange({ ...fields, [field]: value }),
  })
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={text.name} hint={text.nameHint} error={error('name')}>
        <TextInput {...bind('name')} />
      </Field>
      <Field label={text.ip} hint={text.ipHint} error={error('ip')}>
        <TextInput {...bind('ip')} mono />
      </Field>
      <Field label={text.port} hint={text.portHint} error={error('port')}>
        <NumberInput {...bind('port')} decimals={false} />
      </Field>
      <Field label={text.domain} hint={text.domainHint} error={error('domain')}>
        <TextInput {...bind('domain')} mono />
      </Field>
    </div>
  )
}
