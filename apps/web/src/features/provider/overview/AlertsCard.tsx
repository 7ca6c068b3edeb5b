import type { Alerts, RecentAlert } from '@rackfair/sdk/http'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../lib/useNow.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { providerMessages } from '../messages.ts'

const TONES = { sent: 'idle', waiting: 'warn', failed: 'bad' } as const satisfies Record<RecentAlert['state'], string>

interface AlertsCardProps {
  alerts: Alerts | undefined
  failed: boolean
  onRetry: () => void
}

/** What this account was told last, and how many rules tell it. */
export function AlertsCard({ alerts, failed, onRetry }: AlertsCardProps) {
  const text = useMessages(providerMessages).alerts
  const all = useMessages(providerMessages)
  return (
    <Card title={text.title} aside={<TextLink to="/alerts">{text.rules}</TextLink>}>
      {alerts ? (
        <Messages alerts={alerts} />
      ) : failed ? (
        <div className="flex flex-wrap items-center justify-between gap-3 text-ink-2">
          {text.unread}
          <Button size="sm" onClick={onRetry}>
            {all.retry}
          </Button>
        </div>
      ) : (
        <Skeleton size="row" />
      )}
    </Card>
  )
}

function Messages({ alerts: { alerts, recent } }: { alerts: Alerts }) {
  const text = useMessages(providerMessages).alerts
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
