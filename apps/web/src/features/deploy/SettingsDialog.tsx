import type { PresetWire } from '@rackfair/core/wire'
import { useId, useState } from 'react'
import { useLocale } from '../../i18n/locale.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { environmentProblem, environmentToSend } from './environmentFields.ts'
import { deployMessages } from './messages.ts'
import type { RequestStage } from './useDeployRequest.ts'

export interface SettingsDialogProps {
  preset: PresetWire
  stage: RequestStage
  onDeploy: (env: Record<string, string>) => void
  onClose: () => void
}

/** The values an application may be given, before they are signed. */
export function SettingsDialog({ preset, stage, onDeploy, onClose }: SettingsDialogProps) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const locale = useLocale()
  const formId = useId()
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(preset.env.map((rule) => [rule.name, rule.default])),
  )
  const problem = (rule: PresetWire['env'][number]) => {
    const found = environmentProblem(rule, values[rule.name] ?? '')
    if (found === undefined) return undefined
    return found === 'too_long' ? text.settingTooLong(format.number(rule.maxLength)) : text.settingProblem
  }
  const wrong = preset.env.some((rule) => problem(rule) !== undefined)
  const busy = stage !== 'idle'
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.settingsTitle(preset.title)}
      footer={
        <Button
          variant="primary"
          type="submit"
          form={formId}
          pending={busy}
          disabledReason={wrong ? text.settingProblem : undefined}
          reasonAs="tooltip"
        >
          {stage === 'signing' ? text.signing : stage === 'sending' ? text.sending : text.sign}
        </Button>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!wrong && !busy) onDeploy(environmentToSend(preset.env, values))
        }}
      >
        <p className="text-ink-2">{text.settingsText}</p>
        {preset.env.map((rule) => (
          <Field key={rule.name} label={rule.label[locale]} hint={rule.name} error={problem(rule)}>
            <TextInput
              type={rule.secret ? 'password' : 'text'}
              value={values[rule.name] ?? ''}
              onChange={(value) => setValues({ ...values, [rule.name]: value })}
            />
          </Field>
        ))}
      </form>
    </Dialog>
  )
}
