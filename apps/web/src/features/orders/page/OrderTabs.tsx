import type { Order } from '@rackfair/rules/order/order'
import { isLive, standingOf } from '@rackfair/rules/order/status'
import { ofService } from '@rackfair/sdk/workspace'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'wouter'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { lazyPart } from '../../../platform/loading/lazyPart.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { orderMessages } from '../messages.ts'
import { EventCount, EventsTab } from './EventsTab.tsx'
import { ORDER_TABS, type OrderTab, readOrderTab } from './orderTab.ts'
import { ServiceSwitch } from './ServiceSwitch.tsx'
import { WorkspaceGate, type WorkspaceTabProps } from './WorkspaceGate.tsx'

const FilesTab = lazyPart(() => import('../files/FilesTab.tsx').then((module) => module.FilesTab))
const LogsTab = lazyPart(() => import('../logs/LogsTab.tsx').then((module) => module.LogsTab))
const TerminalTab = lazyPart(() => import('../terminal/TerminalTab.tsx').then((module) => module.TerminalTab))
const UsageTab = lazyPart(() => import('../usage/UsageTab.tsx').then((module) => module.UsageTab))

/** What happens in the order. The tab that is open is part of the address; what only the buyer may see is there for the buyer. */
export function OrderTabs({ order, mine }: { order: Order; mine: boolean }) {
  const text = useMessages(orderMessages)
  const [params, setParams] = useSearchParams()
  const now = useNow(15_000)
  const { application, latest } = useApplication(order, now)
  const services = application.state === 'none' ? [] : (latest?.details?.services ?? [])
  const service = services.find((one) => one.service === params.get('service'))?.service
  const main = services[0]?.service
  const hasMachine = mine && isLive(standingOf(order, now))
  const tabs = ORDER_TABS.filter((tab) => tab === 'events' || hasMachine)
  const isUsed = application.state === 'present' || application.state === 'busy'
  const change = (edit: (params: URLSearchParams) => void) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        edit(after)
        return after
      },
      { replace: true },
    )
  const choose = (next: OrderTab) => change((address) => address.set('tab', next))
  const chooseService = (next: string) =>
    change((address) => {
      if (next === '') address.delete('service')
      else address.set('service', next)
      // A folder of one service need not be in another.
      address.delete('path')
    })
  const gated = (Part: ComponentType<WorkspaceTabProps>) => (
    <WorkspaceGate order={order}>
      {(workspace, lock) => (
        <>
          {services.length > 1 && <ServiceSwitch order={order} services={services} chosen={service} onChoose={chooseService} />}
          <Suspense
            fallback={
              <div className="p-5">
                <Skeleton size="panel" />
              </div>
            }
          >
            <Part
              key={service}
              order={order}
              service={service === main ? undefined : service}
              services={service === undefined && services.length > 1 ? services.map((one) => one.service) : undefined}
              workspace={service === undefined ? workspace : ofService(workspace, service)}
              lock={lock}
            />
          </Suspense>
        </>
      )}
    </WorkspaceGate>
  )
  const content: Record<OrderTab, ReactNode> = {
    logs: gated(LogsTab),
    terminal: gated(TerminalTab),
    usage: gated(UsageTab),
    files: gated(FilesTab),
    events: <EventsTab order={order} />,
  }
  return (
    <Tabs
      fill
      label={text.tabsLabel}
      value={readOrderTab(params.get('tab'), tabs, hasMachine && isUsed ? 'logs' : 'events')}
      onChange={choose}
      tabs={tabs.map((value) => ({
        value,
        content: content[value],
        label: (
          <span className="inline-flex items-center gap-2">
            {text.tabs[value]}
            {value === 'events' && <EventCount order={order} />}
          </span>
        ),
      }))}
    />
  )
}
