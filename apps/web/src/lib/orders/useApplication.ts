import { type Application, applicationOf, isLive, type LatestDeployment, standingOf } from '@rackfair/core'
import type { DeploymentWire, OrderWire, PresetWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { deploymentQuery, presetsQuery } from './orderQueries.ts'

export interface OrderApplication {
  /** Null before the first deployment and where it cannot be read; undefined until it is read, and once the order is over. */
  latest: DeploymentWire | null | undefined
  application: Application
  /** Why the latest deployment could not be read. */
  error: Error | null
  /** What the latest request was for, in the catalogue's title; empty for a clean. */
  asked: string
  /** The catalogue's name of what is on the machine, or was when the order ended; empty for nothing. */
  name: string
}

/** What is on the machine of an order, by the newest fact. */
export function useApplication(order: OrderWire, now: number): OrderApplication {
  const deployment = useQuery({ ...deploymentQuery(order.id), enabled: isLive(standingOf(order, now)) })
  const latest = deployment.isError ? null : deployment.data
  const presets = useQuery({ ...presetsQuery, enabled: (latest?.deployId ?? 0) > 0 })
  const application = applicationOf(order, latest satisfies LatestDeployment)
  const asked = presets.data?.find((preset) => preset.id === latest?.deployId)?.title ?? ''
  return { latest, application, error: deployment.error, asked, name: nameOf(application, order, presets.data) }
}

function nameOf(application: Application, order: OrderWire, presets: readonly PresetWire[] | undefined): string {
  if (application.state === 'none') return ''
  const named = application.state === 'present' && presets?.find((preset) => preset.id === application.deployId)
  return named ? named.name : order.appName
}
