import { nodeName } from '@rackfair/core'
import type { ProviderWire } from '@rackfair/core/wire'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { ProviderHardware } from '../../lib/hardware/ProviderHardware.tsx'
import { OversoldNotice } from '../../lib/oversold/OversoldNotice.tsx'
import { ReliabilityCard } from '../../lib/reliability/ReliabilityCard.tsx'
import { SampleNotice } from '../../lib/sample/SampleNotice.tsx'
import { TakesCard } from '../../lib/takes/TakesCard.tsx'
import { Section } from '../../ui/Section.tsx'
import { providerDetailMessages } from './messages.ts'
import { ProviderCapacity } from './ProviderCapacity.tsx'
import { ProviderFacts } from './ProviderFacts.tsx'
import { ProviderModels } from './ProviderModels.tsx'
import { ProviderOrders } from './ProviderOrders.tsx'
import { ProviderPledge } from './ProviderPledge.tsx'

export function ProviderDetail({ provider, machines }: { provider: ProviderWire; machines: ReactNode }) {
  const text = useMessages(providerDetailMessages)
  return (
    <>
      <SampleNotice of={provider} />
      <OversoldNotice parts={provider.oversold} />
      <div className="cols-aside">
        <div className="flex min-w-0 flex-col gap-6">
          <ProviderModels provider={provider} />
          <ProviderCapacity provider={provider} />
          <ProviderHardware nodes={provider.nodes} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <ProviderFacts provider={provider} />
          <ReliabilityCard
            provider={provider.addr}
            nameOf={(nodeId) => nodeName(provider.displayName ?? provider.name, nodeId)}
          />
          <TakesCard takes={provider.takes} />
          <ProviderPledge provider={provider} />
          <ProviderOrders provider={provider} />
        </div>
      </div>
      <Section title={text.machines}>{machines}</Section>
    </>
  )
}
