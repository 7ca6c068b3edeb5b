import { checkProviderFields, type Provider, type ProviderFields } from '@rackfair/core'
import { contractCall } from '@rackfair/sdk'
import { useState } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { providerMessages } from '../messages.ts'
import { useJudged } from '../useJudged.ts'
import { WriteStatus } from '../WriteStatus.tsx'
import { ProviderFieldset } from './ProviderFieldset.tsx'
import { fieldsOfProvider, PROVIDER_FIELDS, providerArgument } from './providerArgument.ts'

/** Revises name, IP, port and domain. */
export function EditProviderDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const text = useMessages(providerMessages)
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
    <Dialog
      open
      wide
      onClose={onClose}
      dismissible={!busy}
      title={text.details.editTitle}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            variant="primary"
            pending={busy}
            disabledReason={unchanged ? text.details.unchanged : undefined}
            reasonAs="tooltip"
            onClick={() => void save()}
          >
            {text.save}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!unchanged && !busy) void save()
        }}
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
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
