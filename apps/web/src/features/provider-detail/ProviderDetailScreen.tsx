import { shortAddress } from '@rackfair/rules/text/shortText'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { providerQuery } from '../../entities/provider/queries.ts'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useAddressParam } from '../../platform/browser/searchParams.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { providerDetailMessages } from './messages.ts'
import { ProviderDetail } from './ProviderDetail.tsx'

/** `/providerdetail?address=`. `machinesOf` draws the machines of one provider. */
export function ProviderDetailScreen({ machinesOf }: { machinesOf: (provider: string) => ReactNode }) {
  const text = useMessages(providerDetailMessages)
  const format = useFormat()
  const now = useNow(30_000)
  const [, navigate] = useLocation()
  const goBack = () => (window.history.length > 1 ? window.history.back() : navigate('/nodelist'))
  const address = useAddressParam('address')
  const read = useQuery({ ...providerQuery(address ?? ''), enabled: address !== undefined })
  const provider = read.data
  const missing =
    address === undefined ||
    provider === null ||
    (read.error !== null && 'code' in read.error && read.error.code === 'bad_request')
  const since = provider?.offlineSince ?? null
  const heard = provider?.online ? text.connected : since === null ? text.neverHeard : text.heard(format.ago(since, now))

  return (
    <Page wide>
      <PageTitle
        title={provider?.displayName || text.title}
        trail={[{ label: text.machinesTrail, to: '/nodelist' }, { label: address ? shortAddress(address) : text.title }]}
        badges={
          provider && (
            <>
              <Badge tone={provider.online ? 'idle' : 'off'} dot>
                {provider.online ? text.online : text.offline}
              </Badge>
              <SampleMark of={provider} />
            </>
          )
        }
        lead={provider && heard}
        actions={<Button onClick={goBack}>{text.goBack}</Button>}
      />
      <Loaded
        query={read}
        failed={text.failedTitle}
        safe={text.failedText}
        missing={missing && { title: text.notFoundTitle, text: text.notFoundText, to: '/nodelist', label: text.seeMachines }}
        skeleton={
          <div className="cols-aside">
            <div className="flex flex-col gap-6">
              <Skeleton size="panel" />
              <Skeleton size="panel" />
            </div>
            <div className="flex flex-col gap-6">
              <Skeleton size="panel" />
              <Skeleton size="card" />
            </div>
          </div>
        }
      >
        {(provider) => provider && <ProviderDetail provider={provider} machines={machinesOf(provider.address)} />}
      </Loaded>
    </Page>
  )
}
