import { nodeName } from '@rackfair/core'
import type { ProviderWire } from '@rackfair/core/wire'
import { useSearchParams } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { ReliabilityCard } from '../../lib/reliability/ReliabilityCard.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { DetailsCard } from './details/DetailsCard.tsx'
import { EarningsPanel } from './earnings/EarningsPanel.tsx'
import { MoneyCard } from './earnings/MoneyCard.tsx'
import { FundsNotice } from './FundsNotice.tsx'
import { providerMessages } from './messages.ts'
import { NodesTable } from './nodes/NodesTable.tsx'
import { OrdersPanel } from './orders/OrdersPanel.tsx'
import { PledgeCard } from './pledge/PledgeCard.tsx'
import { PledgePanel } from './pledge/PledgePanel.tsx'
import { useProviderMoney } from './useProviderMoney.ts'

const TABS = ['nodes', 'orders', 'earnings', 'pledge'] as const
type Tab = (typeof TABS)[number]

/** A registered provider: who it is, what it owns and earns, its nodes and orders. */
export function ProviderOverview({ provider }: { provider: ProviderWire }) {
  const text = useMessages(providerMessages)
  const errorText = useErrorText()
  const [params, setParams] = useSearchParams()
  const { money, error, retry } = useProviderMoney()
  const asked = params.get('tab')
  const tab = TABS.find((name) => name === asked) ?? 'nodes'
  const nodes = provider.nodes.filter((node) => node.exist)

  return (
    <>
      <FundsNotice />
      {error && (
        <Notice tone="warn" title={text.chainFailed} actions={<Button onClick={retry}>{text.retry}</Button>}>
          {errorText(error).full} {text.chainSafe}
        </Notice>
      )}
      <div className="cols-cards">
        <DetailsCard provider={provider} />
        <MoneyCard provider={provider} money={money} />
        <PledgeCard money={money} />
        <ReliabilityCard provider={provider.addr} nameOf={(nodeId) => nodeName(provider.name, nodeId)} />
      </div>
      <Tabs<Tab>
        label={text.sections}
        value={tab}
        onChange={(next) =>
          setParams(
            (last) => {
              last.set('tab', next)
              return last
            },
            { replace: true },
          )
        }
        tabs={[
          {
            value: 'nodes',
            label: text.nodes.title,
            content:
              nodes.length === 0 ? (
                <EmptyState title={text.nodes.emptyTitle}>{text.nodes.emptyText}</EmptyState>
              ) : (
                <NodesTable nodes={nodes} />
              ),
          },
          { value: 'orders', label: text.orders.title, content: <OrdersPanel address={provider.address} /> },
          {
            value: 'earnings',
            label: text.earnings.title,
            content: <EarningsPanel address={provider.address} providerName={provider.name} />,
          },
          {
            value: 'pledge',
            label: text.pledgeHistory.title,
            content: <PledgePanel address={provider.address} money={money} />,
          },
        ]}
        aside={<span className="num text-xs text-ink-3 max-sm:hidden">{text.nodes.count(provider.nNode, provider.uNode)}</span>}
      />
    </>
  )
}
