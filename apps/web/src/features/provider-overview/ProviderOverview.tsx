import { nodeName } from '@rackfair/rules/node/name'
import type { Provider } from '@rackfair/rules/provider/provider'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { medianPricesQuery } from '../../entities/node/queries.ts'
import { providerOrdersQuery } from '../../entities/order/queries.ts'
import { FundsNotice } from '../../entities/provider/FundsNotice.tsx'
import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { useProviderMoney } from '../../entities/provider/useProviderMoney.ts'
import { ReliabilityCard } from '../../entities/reliability/ReliabilityCard.tsx'
import { type MachinesRead, useMachines } from '../../entities/workspace/useMachines.ts'
import { useMachinesWorkspace, type WorkspaceState } from '../../entities/workspace/useWorkspace.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { AlertsCard } from './AlertsCard.tsx'
import { EarningNow } from './EarningNow.tsx'
import { overviewMessages } from './messages.ts'
import { NextCard } from './NextCard.tsx'
import { nextSteps } from './nextSteps.ts'
import { ownAlertsQuery } from './ownAlertsQuery.ts'
import { ProviderTabs, type TabContents } from './ProviderTabs.tsx'
import { Uninterrupted } from './Uninterrupted.tsx'

export interface ProviderOverviewProps extends Omit<TabContents, 'machines'> {
  provider: Provider
  /** The figure of what can be withdrawn. */
  withdrawal: ReactNode
  /** The figure of the pledge, with the dialog that changes it: whether that is open, and what opens and closes it. */
  renderPledge: (managing: boolean, onManage: (managing: boolean) => void) => ReactNode
  earned: ReactNode
  renderMachines: (workspace: WorkspaceState, read: MachinesRead) => ReactNode
  details: ReactNode
  maintenance: ReactNode
}

/** A registered provider: what it earns and owns, what it should do next, and its machines and orders. */
export function ProviderOverview({ provider, renderPledge, renderMachines, ...parts }: ProviderOverviewProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(overviewMessages)
  const errorText = useErrorText()
  const now = useNow(10_000)
  const { error, retry } = useProviderMoney()
  const [pledging, setPledging] = useState(false)
  const { data: orders } = useQuery(providerOrdersQuery(provider.address))
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
        <Notice tone="warn" title={text.chainFailed} actions={<Button onClick={retry}>{shared.retry}</Button>}>
          {errorText(error).full} {text.chainSafe}
        </Notice>
      )}
      <div className="provider-page">
        <div className="provider-next">
          <NextCard steps={steps} now={now} onPledge={() => setPledging(true)} />
        </div>
        <div className="provider-figures grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
          <EarningNow nodes={nodes} />
          {parts.withdrawal}
          {renderPledge(pledging, setPledging)}
          <Uninterrupted address={provider.address} />
        </div>
        <div className="provider-main flex min-w-0 flex-col gap-4">
          {parts.earned}
          <Card>
            <ProviderTabs
              provider={provider}
              machines={renderMachines(workspace, read)}
              orders={parts.orders}
              earnings={parts.earnings}
              pledgeHistory={parts.pledgeHistory}
            />
          </Card>
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <AlertsCard alerts={alerts} />
            {parts.details}
          </div>
        </div>
        <div className="provider-rest flex min-w-0 flex-col gap-4">
          {parts.maintenance}
          <ReliabilityCard own provider={provider.address} planned={false} nameOf={(nodeId) => nodeName(provider.name, nodeId)} />
        </div>
      </div>
    </>
  )
}
