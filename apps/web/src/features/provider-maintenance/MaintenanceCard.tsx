import type { Provider } from '@rackfair/rules/provider/provider'
import { earliestMaintenance, maintenanceNotice } from '@rackfair/rules/uptime/maintenance'
import type { PlannedMaintenance } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { WriteStatus } from '../../entities/provider/WriteStatus.tsx'
import { reliabilityQuery } from '../../entities/reliability/queries.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { MaintenanceDialog } from './MaintenanceDialog.tsx'
import { type Announced, announcedTogether } from './maintenanceTimes.ts'
import { maintenanceMessages } from './messages.ts'
import { useAnnouncement } from './useAnnouncement.ts'
import { type Monitors, useMonitors } from './useMonitors.ts'

/** When the provider's machines may be down without a penalty, with what announces and withdraws it. */
export function MaintenanceCard({ provider }: { provider: Provider }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(maintenanceMessages)
  const answer = useQuery(reliabilityQuery(provider.address))
  const format = useFormat()
  const { monitors, failed } = useMonitors()
  const [announcing, setAnnouncing] = useState(false)
  const nodes = provider.nodes.filter((node) => node.exist)
  return (
    <Card
      title={text.title}
      aside={
        monitors &&
        nodes.length > 0 && (
          <Button size="sm" onClick={() => setAnnouncing(true)}>
            {text.announce}
          </Button>
        )
      }
    >
      <p className="text-xs text-ink-3">
        {monitors === null ? text.unwatched : text.what}{' '}
        {monitors && text.ahead(format.longDuration(maintenanceNotice(monitors.pace)))}
      </p>
      {failed && (
        <div role="status" className="mt-2 flex flex-wrap items-center justify-between gap-3 text-ink-2">
          <span className="min-w-0 grow basis-60">{text.noChain}</span>
          <Button size="sm" pending={failed.asking} onClick={failed.retry}>
            {shared.retry}
          </Button>
        </div>
      )}
      <Loaded line query={answer} failed={text.failed} skeleton={<Skeleton size="row" />}>
        {({ maintenance }) =>
          monitors !== null && <AnnouncedList provider={provider} monitors={monitors} planned={maintenance} />
        }
      </Loaded>
      {announcing && monitors && (
        <MaintenanceDialog
          provider={provider}
          nodes={nodes}
          monitors={monitors}
          used={answer.data?.maintenanceUsed}
          onClose={() => setAnnouncing(false)}
        />
      )}
    </Card>
  )
}

interface AnnouncedListProps {
  provider: Provider
  /** Undefined while the chain has not said what it is: nothing is withdrawn then. */
  monitors: Monitors | undefined
  planned: readonly PlannedMaintenance[]
}

function AnnouncedList({ provider, monitors, planned }: AnnouncedListProps) {
  const text = useMessages(maintenanceMessages)
  const format = useFormat()
  const now = useNow(10_000) + (monitors?.aheadSeconds ?? 0)
  const { send, refusal, state } = useAnnouncement(provider.address, monitors)
  const [withdrawing, setWithdrawing] = useState<Announced>()
  const groups = announcedTogether(planned)
  const namesOf = ({ nodeIds }: Announced) => {
    const nodes = provider.nodes.filter((node) => node.exist)
    if (nodeIds.length === nodes.length) return text.all
    if (nodeIds.length > 3) return text.machinesCount(nodeIds.length)
    return format.list(nodeIds.map((id) => nodes.find((node) => node.nodeId === id)?.name ?? String(id)))
  }
  const withdraw = async (group: Announced) => {
    if (withdrawing) return
    setWithdrawing(group)
    await send('withdraw', { ...group, nodeIds: group.nodeIds.map(BigInt) })
    setWithdrawing(undefined)
  }
  if (groups.length === 0) return <p className="mt-2 text-ink-2">{text.none}</p>
  return (
    <>
      <ul className="mt-1 divide-y divide-line">
        {groups.map((group) => (
          <li key={`${group.from}-${group.until}`} className="flex items-start gap-3 py-2.5 last:pb-0">
            <Wrench aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
            <span className="min-w-0 grow">
              <span className="num block">{format.dateTime(group.from)}</span>
              <span className="block text-xs text-ink-3">
                {format.duration(group.until - group.from)} · {namesOf(group)}
              </span>
            </span>
            {!monitors ? null : group.from >= earliestMaintenance(monitors.pace, now) ? (
              <Button
                size="sm"
                aria-label={text.withdrawOf(format.dateTime(group.from))}
                pending={withdrawing === group}
                onClick={() => void withdraw(group)}
              >
                {text.withdraw}
              </Button>
            ) : (
              <span className="text-xs text-ink-3" title={text.standsWhy(format.longDuration(maintenanceNotice(monitors.pace)))}>
                {text.stands}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p role="alert" className="text-xs text-bad empty:hidden">
        {refusal}
      </p>
      <WriteStatus state={state} />
    </>
  )
}
