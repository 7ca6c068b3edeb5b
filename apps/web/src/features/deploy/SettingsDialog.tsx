import type { Preset } from '@rackfair/rules/presets'
import { useState } from 'react'
import { EnvironmentFields } from '../../entities/deployment/EnvironmentFields.tsx'
import { environmentDefaults, environmentToSend, isEnvironmentWrong } from '../../entities/deployment/environmentFields.ts'
import type { RequestStage } from '../../entities/deployment/useDeployRequest.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { deployMessages } from './messages.ts'

export interface SettingsDialogProps {
  preset: Preset
  stage: RequestStage
  onDeploy: (env: Record<string, string>) => void
  onClose: () => void
}

/** The values an application may be given, before they are signed. */
export function SettingsDialog({ preset, stage, onDeploy, onClose }: SettingsDialogProps) {
  const text = useMessages(deployMessages)
  const [values, setValues] = useState(() => environmentDefaults(preset.settings))
  const wrong = isEnvironmentWrong(preset.settings, values)
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
          pending={busy}
          disabledReason={wrong ? text.settingProblem : undefined}
          reasonAs="tooltip"
          onClick={() => onDeploy(environmentToSend(preset.settings, values))}
        >
          {stage === 'signing' ? text.signing : stage === 'sending' ? text.sending : text.sign}
        </Button>
      }
    >
      <EnvironmentFields rules={preset.settings} values={values} onChange={setValues} />
    </Dialog>
  )
}
