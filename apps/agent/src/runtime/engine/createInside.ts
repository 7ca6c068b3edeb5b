import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { Runtime } from '../Runtime.ts'
import { connectInside } from './connectInside.ts'
import { createContainerMeter } from './containerUsage.ts'
import type { createContainers } from './createContainers.ts'
import { openTerminal } from './execIn.ts'
import { FILE_SERVER } from './fileServer.ts'
import { listeningOf } from './listening.ts'
import { workloadName } from './names.ts'
import type { createOrderDisks } from './orderDisk.ts'
import type { createOutputFiles } from './outputFiles.ts'
import { runInContainer } from './runInContainer.ts'
import { workloadState } from './workloadState.ts'

/** What an order's user sees and does of the running application, beside visiting it. */
export function createInside(options: {
  kind: 'podman' | 'docker'
  /** The OCI runtime of this agent. */
  launcher: string
  /** For what the commands need that run. */
  run: string
  instance: string
  /** For what may be silent for long without being stuck. */
  patient: Docker
  containers: ReturnType<typeof createContainers>
  disks: ReturnType<typeof createOrderDisks>
  outputs: ReturnType<typeof createOutputFiles>
}): Pick<Runtime, 'usage' | 'output' | 'removeOutput' | 'terminal' | 'exec' | 'fileServer' | 'listening' | 'connect'> {
  const { kind, launcher, run, instance, patient, containers, disks, outputs } = options
  const running = async (orderId: bigint) => {
    const one = await containers.inspect(orderId)
    return one?.State.Running ? one : undefined
  }
  const meter = createContainerMeter(async (orderId) => {
    const one = await running(orderId)
    return one && { pid: one.State.Pid, containerId: one.Id, start: one.State.StartedAt }
  })

  const exec: Runtime['exec'] = async (orderId, command, how) => {
    const one = await running(orderId)
    if (!one) throw new AppError('app_not_running', 'the application is not running')
    if (kind === 'docker') throw new AppError('workspace_unsupported', 'with Docker this agent runs no commands')
    return runInContainer({ launcher, run }, one.Id, command, how)
  }

  return {
    output: (orderId) => (kind === 'podman' ? outputs.source(orderId) : undefined),
    async removeOutput(orderId) {
      outputs.remove(orderId)
    },

    async usage(orderId) {
      const counted = await meter(orderId)
      return counted && { ...counted, disk: disks.usage(orderId) }
    },

    terminal: (orderId, command, size) => openTerminal(patient.getContainer(workloadName(instance, orderId)), command, size),

    exec,

    fileServer: (orderId) => exec(orderId, FILE_SERVER),

    async listening(orderId) {
      const one = await running(orderId)
      // The network of a kernel of its own is not this one's.
      return one && !workloadState(one).sandboxed ? listeningOf(one.State.Pid) : undefined
    },

    async connect(orderId, port) {
      const one = await running(orderId)
      if (!one) throw new AppError('app_not_running', 'the application is not running')
      if (kind === 'docker') throw new AppError('workspace_unsupported', 'with Docker this agent opens no ports inside')
      return connectInside(one.State.Pid, port)
    },
  }
}
