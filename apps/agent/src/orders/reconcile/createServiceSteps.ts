import { setTimeout as sleep } from 'node:timers/promises'
import type { Condition } from '@rackfair/app-spec/services/Application'
import type { ServiceNow } from '@rackfair/rules/deployment/deployment'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Command } from '../../db/openAgentDb.ts'
import type { Application, Service } from '../../presets/loadCatalog.ts'
import { notBegun } from '../../runtime/notStarted.ts'
import type { Runtime, WorkloadState } from '../../runtime/Runtime.ts'
import type { Progress } from '../createProgress.ts'
import { howItEnded } from '../howItEnded.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { Control, Run } from './Run.ts'
import { startDeadlineMs } from './startDeadlineMs.ts'
import { stillWanted } from './stillWanted.ts'

/** What others wait for is seen within a twentieth of the time that it took. */
const PAUSES = { part: 20, leastMs: 50, mostMs: 1000 }

export type ServiceSteps = ReturnType<typeof createServiceSteps>

interface Deployed {
  command: Pick<Command, 'orderId' | 'deploymentId'>
  application: Application
}

/** A service and its container. */
interface Looked {
  service: Service
  there: WorkloadState | undefined
}

/** The services of an order that has several: they start when what they wait for is so, and each is looked after. */
export function createServiceSteps(
  { state, runtime, notes }: Pick<OrderManagerOptions, 'state' | 'runtime' | 'notes'>,
  { detail }: Pick<Progress, 'detail'>,
  control: Control,
) {
  const look = ({ command, application }: Deployed): Promise<Looked[]> =>
    Promise.all(
      (application.services ?? []).map(async (service) => {
        const there = await runtime.find(command.orderId, service.app.service?.key)
        return { service, there: there?.deploymentId === command.deploymentId ? there : undefined }
      }),
    )

  /** Tells how each of them is, where that has changed. */
  const tell = ({ deploymentId }: Pick<Command, 'deploymentId'>, all: readonly Looked[]): void => {
    const isMain = ({ service }: Looked) => service.app.service?.key === undefined
    const services = [...all].sort((a, b) => Number(isMain(b)) - Number(isMain(a))).map(nowOf)
    const before = state.deployment(deploymentId)?.details?.services
    if (JSON.stringify(before) !== JSON.stringify(services)) detail(deploymentId, { services })
  }

  /** Throws `start_failed` if one of them has ended that should go on. */
  const requireUp = async ({ command: { orderId } }: Run, all: readonly Looked[]): Promise<void> => {
    const ended = all.find(({ service, there }) => there?.endedAt !== undefined && !there.running && !isDone(service, there))
    if (!ended?.there) return
    const output = (await runtime.logs(orderId, 5, ended.service.app.service?.key)).trim().slice(-300)
    const unbegun = notBegun(output)
    if (unbegun) throw unbegun
    const how = `${ended.service.name}: ${howItEnded(ended.there)}`
    throw new AppError('start_failed', output === '' ? how : `${how}: ${output}`, { retryable: true })
  }

  return {
    look,
    tell,

    /** Those that should run and do not. */
    lacking: (all: readonly Looked[]): string[] =>
      all.filter(({ service, there }) => !there?.running && !isDone(service, there)).map(({ service }) => service.name),

    noteExits: ({ command: { orderId } }: Run, all: readonly Looked[]): void => {
      for (const { service, there } of all)
        if (there?.endedAt !== undefined && !isDone(service, there))
          notes.add(orderId, `${service.name} ended: ${howItEnded(there)}`, there.endedAt)
    },

    start: (run: Run) => startInOrder({ state, runtime, control }, run, { look, tell, requireUp }),

    async requireUp(run: Run): Promise<void> {
      const all = await look(run)
      tell(run.command, all)
      await requireUp(run, all)
    },
  }
}

interface Looking {
  look: (deployed: Deployed) => Promise<Looked[]>
  tell: (command: Pick<Command, 'deploymentId'>, all: readonly Looked[]) => void
  requireUp: (run: Run, all: readonly Looked[]) => Promise<void>
}

/**
 * Starts services, each when what it waits for is so.
 * @throws AppError `start_failed` if one ends that should go on, `start_timeout` if one waits for too long.
 */
async function startInOrder(
  { state, runtime, control }: Pick<OrderManagerOptions, 'state' | 'runtime'> & { control: Control },
  run: Run,
  { look, tell, requireUp }: Looking,
): Promise<'superseded' | undefined> {
  const { command, application } = run
  const { orderId } = command
  const began = performance.now()
  const deadline = began + startDeadlineMs(application, state.earlier(orderId) !== undefined)
  const begun = new Set<string>()
  for (;;) {
    const all = await look(run)
    const ours = all.filter(({ service }) => begun.has(service.name))
    await requireUp(run, ours)
    const left = all.filter(({ service, there }) => !there?.running && !isDone(service, there))
    const ready: Service[] = []
    for (const { service } of left) if (await mayStart(runtime, orderId, service, all)) ready.push(service)
    for (const service of ready) {
      await runtime.start(orderId, service.app.service?.key)
      begun.add(service.name)
    }
    if (left.length === ready.length) return undefined
    tell(command, await look(run))
    if (control.stopped()) throw new AppError('agent_busy', 'the agent is stopping', { retryable: true })
    if (!stillWanted(state, command)) return 'superseded'
    if (performance.now() > deadline) {
      const waits = left.filter(({ service }) => !ready.includes(service)).map(({ service }) => service.name)
      throw new AppError('start_timeout', `what ${waits.join(', ')} waits for did not come in time`)
    }
    await sleep(Math.min(PAUSES.mostMs, Math.max(PAUSES.leastMs, (performance.now() - began) / PAUSES.part)))
  }
}

/** Whether what a service waits for is so. */
async function mayStart(
  runtime: Pick<Runtime, 'probe'>,
  orderId: bigint,
  { after }: Service,
  all: readonly Looked[],
): Promise<boolean> {
  const isSo = async (condition: Condition, { service, there }: Looked): Promise<boolean> => {
    if (isDone(service, there)) return true
    if (!there?.running || condition === 'done') return false
    return condition === 'started' || runtime.probe(orderId, service.app.probe, service.app.service?.key)
  }
  for (const [name, condition] of Object.entries(after)) {
    const other = all.find(({ service }) => service.name === name)
    if (!other || !(await isSo(condition, other))) return false
  }
  return true
}

/** Whether it ended as it should, and is not started again. */
const isDone = ({ once }: Service, there: WorkloadState | undefined): boolean =>
  once && there?.endedAt !== undefined && !there.running && there.exitCode === 0

function nowOf({ service, there }: Looked): ServiceNow {
  if (there?.running) return { service: service.name, state: 'running' }
  if (there?.endedAt === undefined) return { service: service.name, state: 'waiting' }
  return { service: service.name, state: isDone(service, there) ? 'done' : 'ended', code: there.exitCode }
}
