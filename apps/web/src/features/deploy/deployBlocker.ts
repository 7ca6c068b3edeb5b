import { OrderStatus, shownStatus } from '@rackfair/core'
import type { DeploymentWire, OrderWire } from '@rackfair/core/wire'
import { isUnderWay } from './deploymentSteps.ts'

export type DeployBlocker =
  | { code: 'reading' }
  | { code: 'notYours' }
  | { code: 'ended' }
  | { code: 'underWay' }
  | { code: 'running'; app: string }

const PRESENT: readonly string[] = ['Running', 'Degraded']

/** Why nothing can be deployed on an order now. `user` is undefined while nobody is connected: that is asked for by a dialog. */
export function deployBlocker(
  order: Pick<OrderWire, 'user' | 'status' | 'activateTime' | 'duration' | 'deployed' | 'appName'>,
  deployment: Pick<DeploymentWire, 'phase'> | null | undefined,
  user: string | undefined,
  now: number,
): DeployBlocker | undefined {
  const status = shownStatus(order, now)
  if (status !== OrderStatus.Active && status !== OrderStatus.Created) return { code: 'ended' }
  if (user !== undefined && user.toLowerCase() !== order.user) return { code: 'notYours' }
  if (deployment === undefined) return { code: 'reading' }
  if (isUnderWay(deployment)) return { code: 'underWay' }
  const present = deployment === null ? order.deployed : PRESENT.includes(deployment.phase)
  return present ? { code: 'running', app: order.appName } : undefined
}
