import { nodeName } from '@rackfair/rules/node/name'
import type { Provider } from '@rackfair/rules/provider/provider'
import type { ReactNode } from 'react'
import { ProviderHardware } from '../../entities/hardware/ProviderHardware.tsx'
import { OversoldNotice } from '../../entities/provider/oversold/OversoldNotice.tsx'
import { TakesCard } from '../../entities/provider/takes/TakesCard.tsx'
import { ReliabilityCard } from '../../entities/reliability/ReliabilityCard.tsx'
import { SampleNotice } from '../../entities/sample/SampleNotice.tsx'
import { useMessages } from '../../i18n/useMessages.ts'
import { Section } from '../../ui/Section.tsx'
import { providerDetailMessages } from './messages.ts'
import { ProviderCapacity } from './ProviderCapacity.tsx'
import { ProviderFacts } from './ProviderFacts.tsx'
import { ProviderModels } from './ProviderModels.tsx'
import { ProviderOrders } from './ProviderOrders.tsx'
import { ProviderPledge } from './ProviderPledge.tsx'

export function ProviderDetail({ provider, machines }: { provider: Provider; machines: ReactNode }) {
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
          <TakesCard takes={provider.takes} />
          <ProviderOrders provider={provider} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <ProviderFacts provider={provider} />
          <ReliabilityCard provider={provider.address} nameOf={(nodeId) => nodeName(provider.displayName, nodeId)} />
          <ProviderPledge provider={provider} />
        </div>
      </div>
      <Section title={text.machines}>{machines}</Section>
    </>
  )
}
