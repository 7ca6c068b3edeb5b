import { checkProviderFields, type ProviderFields } from '@rackfair/rules/formRules'
import type { Provider } from '@rackfair/rules/provider/provider'
import { registerCall } from '@rackfair/sdk'
import { readEdgePlace } from '@rackfair/sdk/http'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useDraft } from '../../../entities/provider/useDraft.ts'
import { useJudged } from '../../../entities/provider/useJudged.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useBalance, useTransaction } from '../../../wallet/index.ts'
import { ProviderFieldset } from '../details/ProviderFieldset.tsx'
import { EMPTY_PROVIDER, fieldsOfProvider, PROVIDER_FIELDS, providerArgument } from '../details/providerArgument.ts'
import { registrationMessages } from '../messages.ts'
import { EdgePlace } from './EdgePlace.tsx'
import { useEdge } from './useEdge.ts'

/** Step 1: registers the wallet as a provider. Once it is, the form only shows what is registered. */
export function RegisterStep({ provider, address }: { provider: Provider | undefined; address: string }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(registrationMessages)
  const [, navigate] = useLocation()
  const { nativeWei } = useBalance()
  const draft = useDraft(`rackfair.draft.provider.${address}`, EMPTY_PROVIDER)
  const { judged, touch, judgeAll } = useJudged(PROVIDER_FIELDS)
  const { state, busy, send } = useTransaction()
  const registered = provider !== undefined
  const fields = registered ? fieldsOfProvider(provider) : draft.fields
  const reason = registered ? text.wizard.registered : nativeWei === 0n ? shared.noGas : undefined

  const register = async () => {
    judgeAll()
    if (Object.keys(checkProviderFields(fields)).length > 0) return
    const receipt = await send(({ addresses }) => registerCall(addresses, providerArgument(fields)), {
      description: text.notices.describeRegister(fields.name.trim()),
      success: { title: text.notices.provider, text: text.notices.providerText },
    })
    if (!receipt) return
    draft.clear(draft.fields)
    navigate('/addprovider?step=2')
  }

  return (
    <Card>
      <div className="flex flex-col gap-6">
        {registered && <Notice tone="good">{text.wizard.registered}</Notice>}
        {!registered && <Reached address={address} onPlace={(place) => draft.setFields({ ...draft.fields, ...place })} />}
        <ProviderFieldset
          fields={fields}
          judged={judged}
          disabled={registered || busy}
          onChange={(next) => {
            touch(fields, next)
            draft.setFields(next)
          }}
        />
        <WriteStatus state={state} />
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="max-w-form text-xs text-ink-3">{registered ? '' : shared.kept}</p>
          <div className="flex flex-wrap items-start gap-2.5">
            <Button
              variant={registered ? 'outline' : 'primary'}
              pending={busy}
              disabledReason={reason}
              onClick={() => void register()}
            >
              {text.wizard.addProvider}
            </Button>
            <Button
              variant={registered ? 'primary' : 'outline'}
              disabledReason={registered ? undefined : text.wizard.nextNeedsProvider}
              onClick={() => navigate('/addprovider?step=2')}
            >
              {text.wizard.next}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  )
}

/** How visitors reach the machine: by its own address, or through an edge, which gives what is registered. */
function Reached({
  address,
  onPlace,
}: {
  address: string
  onPlace: (place: Pick<ProviderFields, 'ip' | 'port' | 'domain'>) => void
}) {
  const text = useMessages(registrationMessages).edge
  const edge = useEdge(address)
  const [isBehind, setBehind] = useState(edge.text !== '')
  return (
    <>
      <Choice
        label={text.where}
        value={isBehind ? 'behind' : 'open'}
        options={[
          { value: 'open', label: text.open },
          { value: 'behind', label: text.behind },
        ]}
        onChange={(value) => {
          setBehind(value === 'behind')
          edge.set('')
        }}
      />
      {isBehind && (
        <EdgePlace
          edge={edge.text}
          onEdge={edge.set}
          onAsk={async (named) => readEdgePlace(await api.edgePlace(address, named))}
          onPlace={({ ip, port, domain }) => onPlace({ ip, port: String(port), domain })}
        />
      )}
    </>
  )
}
