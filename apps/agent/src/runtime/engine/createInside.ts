import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { ContainerUsage, Runtime } from '../Runtime.ts'
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
  const running = async (orderId: bigint, service?: string) => {
    const one = await containers.inspect(orderId, service)
    return one?.State.Running ? one : undefined
  }
  const meter = createContainerMeter(async (orderId, service) => {
    const one = await running(orderId, service)
    return one && { pid: one.State.Pid, containerId: one.Id, start: one.State.StartedAt }
  })

  const exec: Runtime['exec'] = async (orderId, command, how) => {
    const one = await running(orderId, how?.service)
    if (!one) throw new AppError('app_not_running', 'the application is not running')
    if (kind === 'docker') throw new AppError('workspace_unsupported', 'with Docker this agent runs no commands')
    return runInContainer({ launcher, run }, one.Id, command, how)
  }

  return {
    output: (orderId, service) => (kind === 'podman' ? outputs.source(orderId, service) : undefined),
    async removeOutput(orderId) {
      outputs.remove(orderId)
    },

    async usage(orderId, service) {
      const wanted = service === undefined ? containers.servicesOf(orderId) : [service || undefined]
      const counted = total((await Promise.all(wanted.map((one) => meter(orderId, one)))).flatMap((one) => one ?? []))
      return counted && { ...counted, disk: disks.usage(orderId) }
    },

    terminal: (orderId, command, size, service) =>
      openTerminal(patient.getContainer(workloadName(instance, orderId, service)), command, size),

    exec,

    fileServer: (orderId, service) => exec(orderId, FILE_SERVER, { service }),

    async listening(orderId, service) {
      const one = await running(orderId, service)
      // The network of a kernel of its own is not this one's.
      return one && !workloadState(one).sandboxed ? listeningOf(one.State.Pid) : undefined
    },

    async connect(orderId, port, service) {
      const one = await running(orderId, service)
      if (!one) throw new AppError('app_not_running', 'the application is not running')
      if (kind === 'docker') throw new AppError('workspace_unsupported', 'with Docker this agent opens no ports inside')
      return connectInside(one.State.Pid, port)
    },
  }
}

type Counted = ContainerUsage & { start: string }

/** What services of an order take together. Counters of another set of them do not continue. */
function total(all: readonly Counted[]): Counted | undefined {
  const [first] = all
  if (!first) return undefined
  const sum = (name: 'processorMicros' | 'memoryBytes' | 'processes' | 'receivedBytes' | 'sentBytes') =>
    all.reduce((until, one) => until + one[name], 0)
  return {
    start: all.map((one) => one.start).join(' '),
    cores: first.cores,
    processorMicros: sum('processorMicros'),
    memoryBytes: sum('memoryBytes'),
    // One may have less than all of them.
    memoryLimitBytes: Math.max(...all.map((one) => one.memoryLimitBytes ?? 0)) || undefined,
    processes: sum('processes'),
    receivedBytes: sum('receivedBytes'),
    sentBytes: sum('sentBytes'),
  }
}
