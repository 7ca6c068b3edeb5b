import type { Alerts, RecentAlert } from '@rackfair/sdk/http'
import type { UseQueryResult } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Card } from '../../ui/Card.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { overviewMessages } from './messages.ts'

const TONES = { sent: 'idle', waiting: 'warn', failed: 'bad' } as const satisfies Record<RecentAlert['state'], string>

/** What this account was told last, and how many rules tell it. */
export function AlertsCard({ alerts }: { alerts: UseQueryResult<Alerts> }) {
  const text = useMessages(overviewMessages).alerts
  return (
    <Card title={text.title} aside={<TextLink to="/alerts">{text.rules}</TextLink>}>
      <Loaded line query={alerts} failed={text.unread} skeleton={<Skeleton size="row" />}>
        {(alerts) => <Messages alerts={alerts} />}
      </Loaded>
    </Card>
  )
}

function Messages({ alerts: { alerts, recent } }: { alerts: Alerts }) {
  const text = useMessages(overviewMessages).alerts
  const format = useFormat()
  const now = useNow(60_000)
  if (alerts.length === 0) return <p className="text-ink-2">{text.none}</p>
  const confirmed = alerts.filter((alert) => alert.confirmed).length
  return (
    <>
      <p className="text-xs text-ink-3">{text.channels(confirmed)}</p>
      {recent.length === 0 ? (
        <p className="mt-2 text-ink-2">{text.quiet}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {recent.map((one) => (
            <li key={one.id} className="py-2 last:pb-0">
              <span className="flex items-baseline justify-between gap-3">
                <span>{text.events[one.event](String(one.orderId ?? ''))}</span>
                <span className="num text-xs whitespace-nowrap text-ink-3">{format.ago(one.at, now)}</span>
              </span>
              <span className="text-xs">
                <StateDot tone={TONES[one.state]}>{text.states[one.state]}</StateDot>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
