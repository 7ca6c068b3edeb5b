import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@rackfair/rules/errors/AppError'
import { notBegun } from '../../runtime/notStarted.ts'
import type { Progress } from '../createProgress.ts'
import { howItEnded } from '../howItEnded.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { ServiceSteps } from './createServiceSteps.ts'
import type { createTellDeployed } from './createTellDeployed.ts'
import type { Control, Run } from './Run.ts'
import { startDeadlineMs } from './startDeadlineMs.ts'
import { stillWanted } from './stillWanted.ts'

const PROBE_STEP_MS = 50
/** What starts at once is not spoken of; looking costs a read of two small files. */
const HINT_MS = 10_000
const TELL_MS = 3000
/** After this, time is charged even for an application that never answers. */
const UNANSWERED_MS = 60_000

/** Waits until the application of an order answers. Throws `start_failed` if it ends, `start_timeout` if it takes too long. */
export function createAwaitAnswer(
  options: OrderManagerOptions,
  known: ObservedState,
  tellDeployed: ReturnType<typeof createTellDeployed>,
  progress: Progress,
  services: ServiceSteps,
  control: Control,
) {
  const { state, runtime } = options
  /** Tells what is seen of an application that does not answer, whenever that changes. */
  const createHint = ({ command: { orderId, deploymentId }, application: { app } }: Run) => {
    const { probe } = app
    let told = ''
    let nextMs = performance.now() + (options.hintMs ?? HINT_MS)
    return {
      async look(): Promise<void> {
        if (performance.now() < nextMs || !('port' in probe)) return
        nextMs = performance.now() + TELL_MS
        const waiting = { port: probe.port, listens: await runtime.listening(orderId) }
        if (JSON.stringify(waiting) === told) return
        told = JSON.stringify(waiting)
        progress.detail(deploymentId, { waiting })
      },
      end(): void {
        if (told !== '') progress.detail(deploymentId, { waiting: undefined })
      },
    }
  }

  return async (run: Run): Promise<void> => {
    const hint = createHint(run)
    try {
      await untilAnswer(run, hint.look)
    } finally {
      hint.end()
    }
  }

  async function untilAnswer(run: Run, look: () => Promise<void>): Promise<void> {
    const { command, application } = run
    const { orderId } = command
    const began = performance.now()
    const deadlineMs = startDeadlineMs(application, state.earlier(orderId) !== undefined)
    const before = known.unansweredMs.get(orderId) ?? 0
    while (!(await runtime.probe(orderId, application.app.probe))) {
      const unanswered = before + performance.now() - began
      known.unansweredMs.set(orderId, unanswered)
      if (unanswered >= (options.unansweredMs ?? UNANSWERED_MS)) tellDeployed(orderId, application)
      if (control.stopped()) throw new AppError('agent_busy', 'the agent is stopping', { retryable: true })
      if (!stillWanted(state, command)) return
      if (application.services) await services.requireUp(run)
      const workload = await runtime.find(orderId)
      if (!workload?.running) {
        const output = (await runtime.logs(orderId, 5)).trim().slice(-300)
        const unbegun = notBegun(output)
        if (unbegun) throw unbegun
        const how = workload ? howItEnded(workload) : 'its container is gone'
        throw new AppError('start_failed', output === '' ? how : `${how}: ${output}`, { retryable: true })
      }
      if (performance.now() > began + deadlineMs) throw new AppError('start_timeout', 'the application did not answer in time')
      await look()
      await sleep(PROBE_STEP_MS)
    }
  }
}
