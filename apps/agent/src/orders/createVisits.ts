import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { DeploymentPhase } from '@rackfair/rules/deployment/phase'
import type { Application } from '../presets/loadCatalog.ts'
import type { Upstream } from '../runtime/Runtime.ts'
import { applicationOf } from './applicationOf.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

/** What the gateway needs to know about an order. */
export interface Visit {
  orderId: bigint
  user: LowerCaseAddress
  preset: Application
  phase: DeploymentPhase
  code: string | undefined
  upstream: Upstream | undefined
  slot: number
}

/** The orders as the gateway sees them. It queries at every request, so the state is cached until it changes. */
export function createVisits({ state, presets }: Pick<OrderManagerOptions, 'state' | 'presets'>, known: ObservedState) {
  const visits = new Map<bigint, Omit<Visit, 'upstream'>>()
  const slots = new Map<number, bigint>()
  let read: number | undefined

  const refresh = () => {
    if (read === state.writes()) return
    read = state.writes()
    visits.clear()
    slots.clear()
    for (const stored of state.commands()) {
      const { orderId, slot, endedAt } = stored
      if (endedAt !== undefined) continue
      slots.set(slot, orderId)
      const command = state.earlier(orderId) ?? stored
      const { deploymentId, user } = command
      const preset = applicationOf(presets, command)
      const deployment = state.deployment(deploymentId)
      if (preset && deployment)
        visits.set(orderId, { orderId, user, preset, phase: deployment.phase, code: deployment.steps.at(-1)?.code, slot })
    }
  }

  return {
    /** What the gateway shows for an order; undefined if this machine has nothing of it. */
    visit(orderId: bigint): Visit | undefined {
      refresh()
      const visit = visits.get(orderId)
      const upstream = known.upstreams.get(orderId)
      // An application that missed a few of the agent's probes may still answer its visitors.
      const phase = visit?.phase === 'Degraded' && upstream ? 'Running' : visit?.phase
      return visit && phase && { ...visit, phase, upstream }
    },
    /** The order whose network has this number. */
    orderOfSlot(slot: number): bigint | undefined {
      refresh()
      return slots.get(slot)
    },
  }
}
