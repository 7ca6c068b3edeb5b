import { nodeName, type Provider } from '@rackfair/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { ReliabilityCard } from '../../lib/reliability/ReliabilityCard.tsx'
import { useNow } from '../../lib/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useMachinesWorkspace } from '../../workspace/useWorkspace.ts'
import { DetailsCard } from './details/DetailsCard.tsx'
import { EarningsPanel } from './earnings/EarningsPanel.tsx'
import { WithdrawCell } from './earnings/WithdrawCell.tsx'
import { FundsNotice } from './FundsNotice.tsx'
import { MachinesAccess } from './machines/MachinesAccess.tsx'
import { MachinesTable } from './machines/MachinesTable.tsx'
import { useMachines } from './machines/useMachines.ts'
import { MaintenanceCard } from './maintenance/MaintenanceCard.tsx'
import { providerMessages } from './messages.ts'
import { OrdersPanel } from './orders/OrdersPanel.tsx'
import { AlertsCard } from './overview/AlertsCard.tsx'
import { EarnedCard } from './overview/EarnedCard.tsx'
import { EarningNow } from './overview/EarningNow.tsx'
import { NextCard } from './overview/NextCard.tsx'
import { nextSteps } from './overview/nextSteps.ts'
import { Uninterrupted } from './overview/Uninterrupted.tsx'
import { PledgeCell } from './pledge/PledgeCell.tsx'
import { PledgeDialog } from './pledge/PledgeDialog.tsx'
import { PledgePanel } from './pledge/PledgePanel.tsx'
import { medianPricesQuery, ownAlertsQuery, ownOrdersQuery } from './providerQueries.ts'
import { useProviderMoney } from './useProviderMoney.ts'

const TABS = ['nodes', 'orders', 'earnings', 'pledge'] as const
type Tab = (typeof TABS)[number]

/** A registered provider: what it earns and owns, what it should do next, and its machines and orders. */
export function ProviderOverview({ provider }: { provider: Provider }) {
  const text = useMessages(providerMessages)
  const errorText = useErrorText()
  const now = useNow(10_000)
  const { money, error, retry } = useProviderMoney()
  const [pledging, setPledging] = useState(false)
  const { data: orders } = useQuery(ownOrdersQuery(provider.address))
  const { data: prices } = useQuery(medianPricesQuery)
  const alerts = useQuery(ownAlertsQuery(provider.address))
  const workspace = useMachinesWorkspace(provider)
  const read = useMachines(workspace.status === 'ready' ? workspace.workspace : undefined)
  const nodes = provider.nodes.filter((node) => node.exist)
  const steps = nextSteps({ provider, orders, prices, machines: read.machines?.now, alerts: alerts.data, now })

  return (
    <>
      <FundsNotice />
      {error && (
        <Notice tone="warn" title={text.chainFailed} actions={<Button onClick={retry}>{text.retry}</Button>}>
          {errorText(error).full} {text.chainSafe}
        </Notice>
      )}
      <div className="provider-page">
        <div className="provider-next">
          <NextCard steps={steps} now={now} onPledge={() => setPledging(true)} />
        </div>
        <div className="provider-figures grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
          <EarningNow nodes={nodes} />
          <WithdrawCell address={provider.address} money={money} />
          <PledgeCell money={money} onManage={() => setPledging(true)} />
          <Uninterrupted address={provider.address} />
        </div>
        <div className="provider-main flex min-w-0 flex-col gap-4">
          <EarnedCard address={provider.address} />
          <Card>
            <ProviderTabs
              provider={provider}
              machines={
                nodes.length === 0 ? (
                  <EmptyState title={text.nodes.emptyTitle}>{text.nodes.emptyText}</EmptyState>
                ) : (
                  <>
                    <MachinesAccess state={workspace} read={read} />
                    <MachinesTable nodes={nodes} orders={orders ?? []} machines={read.machines} />
                  </>
                )
              }
              pledge={<PledgePanel address={provider.address} money={money} />}
            />
          </Card>
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <AlertsCard alerts={alerts} />
            <DetailsCard provider={provider} />
          </div>
        </div>
        <div className="provider-rest flex min-w-0 flex-col gap-4">
          <MaintenanceCard provider={provider} />
          <ReliabilityCard own provider={provider.address} planned={false} nameOf={(nodeId) => nodeName(provider.name, nodeId)} />
        </div>
      </div>
      <PledgeDialog open={pledging} onClose={() => setPledging(false)} />
    </>
  )
}

interface ProviderTabsProps {
  provider: Provider
  machines: ReactNode
  pledge: ReactNode
}

function ProviderTabs({ provider, machines, pledge }: ProviderTabsProps) {
  const text = useMessages(providerMessages)
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  return (
    <Tabs<Tab>
      label={text.sections}
      value={TABS.find((name) => name === asked) ?? 'nodes'}
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
        { value: 'nodes', label: text.machines.title, content: machines },
        { value: 'orders', label: text.orders.title, content: <OrdersPanel address={provider.address} /> },
        {
          value: 'earnings',
          label: text.earnings.title,
          content: <EarningsPanel address={provider.address} providerName={provider.name} />,
        },
        { value: 'pledge', label: text.pledgeHistory.title, content: pledge },
      ]}
      aside={
        <span className="num text-xs text-ink-3 max-sm:hidden">
          {text.nodes.count(provider.listed.nodes, provider.sold.nodes)}
        </span>
      }
    />
  )
}
