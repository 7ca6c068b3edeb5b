import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { reachOf, visitLink } from '@rackfair/rules/deployment/visitUrl'
import type { Order } from '@rackfair/rules/order/order'
import { useQuery } from '@tanstack/react-query'
import { Globe, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { pageLinkHere } from '../../../entities/order/pageLinkHere.ts'
import { presetsQuery } from '../../../entities/order/queries.ts'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { uiMessages } from '../../../ui/messages.ts'
import { orderMessages } from '../messages.ts'

export interface AccessBandProps {
  order: Order
  now: number
  mine: boolean
  /** The line of the deployment. */
  children: ReactNode
}

/** How the application is reached, as text that can be copied, over the line of its deployment. */
export function AccessBand({ order, now, mine, children }: AccessBandProps) {
  const text = useMessages(orderMessages)
  const ui = useMessages(uiMessages)
  const { application, latest } = useApplication(order, now)
  const presets = useQuery(presetsQuery)
  const isPresent = application.state === 'present'
  const preset = presets.data?.find(({ id, name }) =>
    isPresent && application.deployId !== undefined ? id === application.deployId : name === order.appName,
  )
  const link = pageLinkHere(order, latest)
  // A port of a tenant would be sent the cookies of any order's name.
  const portHost = new URL(visitLink(order, latest?.visitUrl)).hostname
  const reach = reachOf(link, order)
  const hasPage = !isPresent || latest?.visitUrl !== null || latest.deployId !== OWN_APP_DEPLOY_ID
  const ports = isPresent ? (latest?.details?.ports ?? []) : []
  const Who = preset?.access === 'owner' ? LockKeyhole : Globe
  const copy = (value: string) => (
    <span className="ml-auto shrink-0">
      <CopyButton value={value} variant="quiet" size="sm">
        {ui.copy}
      </CopyButton>
    </span>
  )
  return (
    <section aria-label={text.access} className="order-access">
      {isPresent && (hasPage || ports.length > 0) && (
        <div className="order-addresses">
          {hasPage && (
            <div className="flex min-h-11 items-center gap-3">
              <span className="shrink-0 text-xs text-ink-3">{text.address}</span>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is cut is read whole on focus, as on hover */}
              <span className="num min-w-0 truncate" title={link} tabIndex={0} data-testid="address">
                {link}
              </span>
              {preset && (
                <span className="hidden shrink-0 items-center gap-1.5 text-xs text-ink-3 md:inline-flex">
                  <Who aria-hidden className="size-3.5" />
                  {preset.access !== 'owner' ? text.forEveryone : mine ? text.forOwner : text.forBuyer}
                </span>
              )}
              {copy(link)}
            </div>
          )}
          {hasPage && (
            <p className="pb-2 text-xs text-ink-3" data-testid="reach">
              {reach.kind === 'secure' ? text.reach.secure(reach.host) : text.reach[reach.kind]}
            </p>
          )}
          {ports.map(({ protocol, port, outside, service }) => {
            const address = `${portHost}:${outside}`
            return (
              <div key={`${service} ${protocol} ${port}`} className="flex min-h-11 items-center gap-3">
                <span className="num shrink-0 text-xs text-ink-3">
                  {service === undefined ? '' : `${service} `}
                  {port}/{protocol}
                </span>
                <span className="num min-w-0 truncate">{address}</span>
                {copy(address)}
              </div>
            )
          })}
        </div>
      )}
      {children}
    </section>
  )
}
