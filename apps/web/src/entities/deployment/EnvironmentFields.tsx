import type { PresetSetting } from '@rackfair/rules/presets'
import { defineMessages } from '../../i18n/defineMessages.ts'
import { useLocale } from '../../i18n/locale.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { environmentProblem } from './environmentFields.ts'
import { en } from './texts.en.ts'

const bundle = defineMessages({ en, zh: () => import('./texts.zh.ts') })

export interface EnvironmentFieldsProps {
  rules: readonly PresetSetting[]
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
}

/** The values that an application may be given, each with what is wrong with it, and how they travel. */
export function EnvironmentFields({ rules, values, onChange }: EnvironmentFieldsProps) {
  const text = useMessages(bundle)
  const format = useFormat()
  const locale = useLocale()
  const problem = (rule: PresetSetting) => {
    const found = environmentProblem(rule, values[rule.name] ?? '')
    if (found === undefined) return undefined
    return found === 'too_long' ? text.tooLong(format.number(rule.maxLength)) : text.problem
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">{text.sealed}</p>
      {rules.map((rule) => (
        <Field key={rule.name} label={rule.label[locale]} hint={rule.name} error={problem(rule)}>
          <TextInput
            type={rule.secret ? 'password' : 'text'}
            value={values[rule.name] ?? ''}
            onChange={(value) => onChange({ ...values, [rule.name]: value })}
          />
        </Field>
      ))}
    </div>
  )
}
