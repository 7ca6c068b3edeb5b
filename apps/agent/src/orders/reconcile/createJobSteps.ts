import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import type { Command } from '../../db/openAgentDb.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { Allowance, WorkloadState } from '../../runtime/Runtime.ts'
import { environmentOf } from '../applicationOf.ts'
import type { Progress } from '../createProgress.ts'
import { howItEnded } from '../howItEnded.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { Control } from './Run.ts'

export type JobSteps = ReturnType<typeof createJobSteps>
type Exit = NonNullable<DeploymentDetails['exit']>

/** Interval between polls of a running job: a tenth of its running time, within these bounds. */
const MIN_POLL_MS = 200
const MAX_POLL_MS = 2000

/** The steps specific to jobs: a job ends once, and its exit and its files stay readable. */
export function createJobSteps(
  { state, runtime, notes, log }: OrderManagerOptions,
  { detail, publish }: Progress,
  control: Control,
) {
  /** By order: the container whose end is polled. */
  const watched = new Map<bigint, string>()
  const filesOf = ({ deploymentId }: Command) => `${deploymentId}-files`

  return {
    /** How the job of a command ended; undefined while it has not. */
    exitOf: ({ deploymentId }: Command): Exit | undefined => state.deployment(deploymentId)?.details?.exit,

    /** Reconciles the order as soon as its job has ended. */
    watch({ orderId, deploymentId }: Command): void {
      if (watched.get(orderId) === deploymentId) return
      watched.set(orderId, deploymentId)
      const since = performance.now()
      const poll = async () => {
        const there = await runtime.find(orderId)
        const runs = there?.running === true && there.deploymentId === deploymentId
        if (control.stopped() || watched.get(orderId) !== deploymentId) return
        if (runs) return wait()
        watched.delete(orderId)
        control.scheduleReconcile(orderId)
      }
      const wait = () => {
        const waitMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, (performance.now() - since) / 10))
        setTimeout(() => void poll().catch(wait), waitMs).unref()
      }
      wait()
    },

    /** Stores how it ended. From here on it is not restarted unless its renter requests it. */
    end(command: Command, there: WorkloadState): void {
      const { orderId, deploymentId } = command
      watched.delete(orderId)
      notes.add(orderId, `The job ended: ${howItEnded(there)}`, there.endedAt)
      detail(deploymentId, { exit: { code: there.exitCode, outOfMemory: there.outOfMemory } })
      control.scheduleReconcile(orderId)
    },

    tellFinished({ deploymentId }: Command, { code, outOfMemory }: Exit): void {
      const message = howItEnded({ exitCode: code, outOfMemory })
      publish(deploymentId, 'Finished', code === 0 && !outOfMemory ? undefined : { code: 'job_failed', message })
    },

    /** Replaces the job's container by one that only waits, through which its files can be read. */
    async keepFiles(command: Command, { app }: Application, allowance: Allowance): Promise<void> {
      const { orderId, deploymentId, slot } = command
      const there = await runtime.find(orderId)
      if (there?.running && there.deploymentId === filesOf(command)) return
      const { imageId } = await runtime.ensureOwnImage(app, state.deployment(deploymentId)?.details?.image, {
        orderId,
        maxBytes: allowance.diskBytes,
        share: allowance,
        onPull: () => {},
      })
      log.debug('the files of a job that ended are kept open', { orderId: String(orderId) })
      const waiting = { ...app, command: [...runtime.idleCommand], args: undefined }
      const env = command.env === undefined ? {} : environmentOf(command)
      await runtime.create({ orderId, deploymentId: filesOf(command), slot, app: waiting, env, allowance }, imageId)
      await runtime.start(orderId)
    },
  }
}
