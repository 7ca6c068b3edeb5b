import { checkProviderFields, type ProviderFields } from '@rackfair/rules/formRules'
import type { Provider } from '@rackfair/rules/provider/provider'
import { contractCall } from '@rackfair/sdk'
import { useState } from 'react'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useJudged } from '../../../entities/provider/useJudged.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { registrationMessages } from '../messages.ts'
import { ProviderFieldset } from './ProviderFieldset.tsx'
import { fieldsOfProvider, PROVIDER_FIELDS, providerArgument } from './providerArgument.ts'

/** Revises name, IP, port and domain. */
export function EditProviderDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(registrationMessages)
  const before = fieldsOfProvider(provider)
  const [fields, setFields] = useState<ProviderFields>(before)
  const { judged, touch, judgeAll } = useJudged(PROVIDER_FIELDS)
  const { state, busy, send } = useTransaction()
  const unchanged = PROVIDER_FIELDS.every((field) => fields[field].trim() === before[field])

  const save = async () => {
    judgeAll()
    if (Object.keys(checkProviderFields(fields)).length > 0) return
    const receipt = await send(({ addresses }) => contractCall(addresses, 'registry', 'revise', [providerArgument(fields)]), {
      description: text.notices.describeRevise(fields.name.trim()),
      success: { title: text.notices.revised, text: text.notices.revisedText },
    })
    if (receipt) onClose()
  }

  return (
    <FormDialog
      wide
      title={text.details.editTitle}
      cancel={shared.cancel}
      submit={text.save}
      submitting={busy}
      blocked={unchanged ? text.details.unchanged : undefined}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="text-ink-2">{text.details.editText}</p>
      <ProviderFieldset
        fields={fields}
        judged={judged}
        onChange={(next) => {
          touch(fields, next)
          setFields(next)
        }}
      />
      <WriteStatus state={state} />
    </FormDialog>
  )
}
