import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import type { Command } from '../db/openAgentDb.ts'
import { createServiceSteps } from '../orders/reconcile/createServiceSteps.ts'
import type { Run } from '../orders/reconcile/Run.ts'
import type { Application } from '../presets/loadCatalog.ts'
import type { Allowance, Runtime } from '../runtime/Runtime.ts'

interface Brought {
  orderId: bigint
  deploymentId: string
  application: Application
  allowance: Allowance
  note?: string
}

/** The steps of the services of one deployment, without an agent around them. */
export function serviceSteps(
  runtime: Runtime,
  { orderId, deploymentId }: Pick<Brought, 'orderId' | 'deploymentId'>,
  { details = {}, notes = [] }: { details?: DeploymentDetails; notes?: string[] } = {},
) {
  const command = { orderId, deploymentId } as Command
  return createServiceSteps(
    {
      runtime,
      notes: { add: (_, line) => void notes.push(line), remove: () => {} },
      state: { command: () => command, earlier: () => undefined, deployment: () => ({ details }) } as never,
    },
    { detail: (_, more) => void Object.assign(details, more) },
    { stopped: () => false, flushOutbox: () => {}, scheduleReconcile: () => {} },
  )
}

/** Makes all containers of an application, or what can be made of them beside those that run. */
export async function makeServices(runtime: Runtime, brought: Brought, how: 'create' | 'prepare' = 'create'): Promise<void> {
  const { orderId, deploymentId, application, allowance, note } = brought
  for (const { app, env } of application.services ?? []) {
    const { imageId } = await runtime.ensureOwnImage(app, undefined, { orderId, maxBytes: allowance.diskBytes, onPull: () => {} })
    await runtime[how]({ orderId, deploymentId, slot: Number(orderId), app, env, allowance, note }, imageId)
  }
}

/** Makes them and starts them in their order. */
export async function bringServices(runtime: Runtime, brought: Brought): Promise<Run> {
  await makeServices(runtime, brought)
  const { orderId, deploymentId, application } = brought
  const run = { command: { orderId, deploymentId }, application } as Run
  await serviceSteps(runtime, brought).start(run)
  return run
}
