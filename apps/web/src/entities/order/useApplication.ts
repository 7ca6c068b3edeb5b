import { type Application, applicationOf, type LatestDeployment } from '@rackfair/rules/deployment/actions'
import type { Deployment } from '@rackfair/rules/deployment/deployment'
import type { Order } from '@rackfair/rules/order/order'
import { isLive, standingOf } from '@rackfair/rules/order/status'
import type { Preset } from '@rackfair/rules/presets'
import { useQuery } from '@tanstack/react-query'
import { deploymentQuery, presetsQuery } from './queries.ts'

export interface OrderApplication {
  /** Null before the first deployment and where it cannot be read; undefined until it is read, and once the order is over. */
  latest: Deployment | null | undefined
  application: Application
  /** Why the latest deployment could not be read. */
  error: Error | null
  /** What the latest request was for, in the catalogue's title; empty for a clean. */
  asked: string
  /** The catalogue's name of what is on the machine, or was when the order ended; empty for nothing. */
  name: string
}

/** What is on the machine of an order, by the newest fact. */
export function useApplication(order: Order, now: number): OrderApplication {
  const live = isLive(standingOf(order, now))
  const deployment = useQuery({ ...deploymentQuery(order.id), enabled: live })
  // What was read before the order ended is still at hand, and no longer true.
  const latest = !live ? undefined : deployment.isError ? null : deployment.data
  const presets = useQuery({ ...presetsQuery, enabled: (latest?.deployId ?? 0) > 0 })
  const application = applicationOf(order, latest satisfies LatestDeployment)
  const asked = presets.data?.find((preset) => preset.id === latest?.deployId)?.title ?? ''
  return { latest, application, error: deployment.error, asked, name: nameOf(application, order, presets.data) }
}

function nameOf(application: Application, order: Order, presets: readonly Preset[] | undefined): string {
  if (application.state === 'none') return ''
  const named = application.state === 'present' && presets?.find((preset) => preset.id === application.deployId)
  return named ? named.name : order.appName
}
