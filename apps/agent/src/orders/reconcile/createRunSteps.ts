import assert from 'node:assert/strict'
import { imageList } from '@rackfair/app-spec/services/Application'
import { keccak256, stringToBytes } from 'viem'
import type { Command } from '../../db/openAgentDb.ts'
import { faultPoint } from '../../foundation/faultPoint.ts'
import type { Application, Service } from '../../presets/loadCatalog.ts'
import type { WorkloadState } from '../../runtime/Runtime.ts'
import { imageDigest } from '../../uptime/createPromises.ts'
import { agentsNote } from '../agentsNote.ts'
import { environmentOf } from '../applicationOf.ts'
import type { MachineHealth } from '../createMachineHealth.ts'
import type { Progress } from '../createProgress.ts'
import { howItEnded } from '../howItEnded.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { AllowanceOf } from './createAllowanceOf.ts'
import { createAwaitAnswer } from './createAwaitAnswer.ts'
import type { JobSteps } from './createJobSteps.ts'
import { createOwnSteps } from './createOwnSteps.ts'
import type { ServiceSteps } from './createServiceSteps.ts'
import { createTellDeployed } from './createTellDeployed.ts'
import { createUpdateSteps } from './createUpdateSteps.ts'
import type { RunStep } from './plan.ts'
import { promiseImage } from './promiseImage.ts'
import type { Control, Run, Step } from './Run.ts'
import { stillWanted } from './stillWanted.ts'

/** The steps towards a running application. */
export function createRunSteps(
  options: OrderManagerOptions,
  known: ObservedState,
  progress: Progress,
  health: MachineHealth,
  jobs: JobSteps,
  allowanceOf: AllowanceOf,
  services: ServiceSteps,
  control: Control,
) {
  const { state, runtime } = options
  const { publish } = progress
  const own = createOwnSteps(options, progress)
  const tellDeployed = createTellDeployed(options, known, control.flushOutbox)
  const awaitAnswer = createAwaitAnswer(options, known, tellDeployed, progress, services, control)

  const noteUpstream = createNoteUpstream(known, services)
  const updateSteps = createUpdateSteps(options, known, progress, own, noteUpstream)
  const watchSteps = createWatchSteps(options, known, progress, health, services, noteUpstream)
  const imagesOf = createImagesOf(options, progress, own, allowanceOf)
  const makeAll = createMakeAll(options, progress, allowanceOf)

  /** The steps of one reconciliation: later steps use the findings of earlier ones. */
  return (run: Run): Record<RunStep, Step> => {
    const { command, application, workload } = run
    const { app } = application
    const { orderId, deploymentId } = command
    let imageIds: readonly string[] = []
    return {
      ...watchSteps(run),
      ...updateSteps(run),
      getImage: async () => {
        imageIds = await imagesOf(run)
        faultPoint('imaged')
        return stillWanted(state, command) ? undefined : 'superseded'
      },
      prepare: async () => {
        await makeAll('prepare', run, imageIds)
        return stillWanted(state, command) ? undefined : 'superseded'
      },
      create: async () => {
        await makeAll('create', run, imageIds)
        faultPoint('created')
      },
      start: async () => {
        if (!command.hasRun) publish(deploymentId, 'Starting')
        if (!application.services) await runtime.start(orderId)
        else if ((await services.start(run)) === 'superseded') return 'superseded'
        health.note(orderId, undefined)
        faultPoint('started')
        return undefined
      },
      openPorts: () => own.ports(command, application),
      watchJob: () => jobs.watch(command),
      awaitAnswer: () => awaitAnswer(run),
      noteRun: async () => {
        const started = await runtime.find(orderId)
        const stored = stillWanted(state, command)
        if (!stored) return 'superseded'
        await noteUpstream(started, application)
        // Published before `hasRun` is stored: `hasRun` in phase Starting means that the renter restarted the job.
        if (app.own?.job) publish(deploymentId, 'Running')
        if (!stored.hasRun) state.putCommand({ ...stored, hasRun: true })
        faultPoint('running')
        return undefined
      },
      settle: () => {
        known.failures.delete(orderId)
        known.silence.delete(orderId)
        known.unansweredMs.delete(orderId)
        publish(deploymentId, 'Running')
        tellDeployed(orderId, application)
      },
      endJob: () => workload && jobs.end(command, workload),
    }
  }
}

/** Makes the containers of an application, or what can be made of them while others of their order run. */
function createMakeAll({ runtime }: OrderManagerOptions, { publish }: Progress, allowanceOf: AllowanceOf) {
  return async (how: 'prepare' | 'create', run: Run, imageIds: readonly string[]): Promise<void> => {
    const { command, order, application, gpus } = run
    const { orderId, deploymentId, slot } = command
    assert(order.id === orderId && order.user === command.user, 'a container is made for the buyer of its order alone')
    if (!command.hasRun) publish(deploymentId, 'Creating')
    const allowance = await allowanceOf(order, gpus)
    const its = { orderId, deploymentId, slot, allowance, note: agentsNote(order, allowance, application) }
    for (const [index, one] of containersOf(application, command).entries())
      await runtime[how]({ ...its, app: one.app, env: one.env }, imageIds[index] ?? '')
  }
}

/**
 * What each container of an application runs, with its environment.
 * @throws AppError `secrets_unreadable` if the key of its values is lost.
 */
function containersOf({ app, services }: Application, command: Command): readonly Pick<Service, 'app' | 'env'>[] {
  const env = environmentOf(command)
  return services ?? [{ app, env }]
}

/** Gets the images of an application, and promises that no other will run. */
function createImagesOf(
  options: OrderManagerOptions,
  progress: Progress,
  own: ReturnType<typeof createOwnSteps>,
  allowanceOf: AllowanceOf,
) {
  const { state, runtime, notes, log } = options
  const presetImage = async ({ command: { orderId, deploymentId }, application: { app } }: Run): Promise<string> => {
    if (!(await runtime.hasImage(app))) progress.publish(deploymentId, 'Pulling')
    const onLine = (line: string) => {
      log.debug('image', { line })
      progress.building(deploymentId, line)
      notes.add(orderId, line)
    }
    // Even if the catalogue has a newer image meanwhile, a deployment keeps the promised one.
    return runtime.ensureImage(app, onLine, state.deployment(deploymentId)?.details?.promise?.image.slice(2))
  }

  return async (run: Run): Promise<readonly string[]> => {
    const { command, order, application, gpus } = run
    const imageIds = application.app.own
      ? await own.images(command, application, await allowanceOf(order, gpus))
      : [await presetImage(run)]
    const { services: several } = application
    const images = imageIds.map((imageId, index) => ({ service: several?.[index]?.name ?? '', imageId }))
    await promiseImage(options, progress, run, several ? imageOf(images) : (imageIds[0] ?? ''))
    return imageIds
  }
}

/** The steps that note how an application does, and tell its renter. */
function createWatchSteps(
  { runtime, notes, log }: OrderManagerOptions,
  known: ObservedState,
  { publish }: Progress,
  health: MachineHealth,
  services: ServiceSteps,
  noteUpstream: ReturnType<typeof createNoteUpstream>,
) {
  return (run: Run) => {
    const { command, application, workload } = run
    const { orderId, deploymentId } = command
    return {
      forgetUpstream: () => {
        known.upstreams.delete(orderId)
      },
      noteUpstream: async () => {
        await noteUpstream(workload, application)
        // It runs: what it does is up to its renter.
        health.note(orderId, undefined)
      },
      noteExit: () => {
        if (workload?.endedAt === undefined) return
        notes.add(orderId, `The application ended: ${howItEnded(workload)}`, workload.endedAt)
      },
      tellExit: () => {
        if (workload) publish(deploymentId, 'Degraded', { code: 'start_failed', message: howItEnded(workload) })
      },
      noteSilence: () => {
        const before = known.silence.get(orderId)
        known.silence.set(orderId, { probes: (before?.probes ?? 0) + 1, sinceMs: before?.sinceMs ?? performance.now() })
      },
      tellSilence: () => publish(deploymentId, 'Degraded', { code: 'start_timeout', message: 'the application does not answer' }),
      stopSilent: async () => {
        log.warn('an application no longer answers; restarting it', { orderId: String(orderId) })
        known.silence.delete(orderId)
        known.upstreams.delete(orderId)
        await runtime.stop(orderId)
      },
      tellServiceExit: () => {
        const ended = run.services.find(({ there }) => there?.endedAt !== undefined && !there.running)
        services.noteExits(run, run.services)
        if (ended?.there)
          publish(deploymentId, 'Degraded', {
            code: 'start_failed',
            message: `${ended.service.name}: ${howItEnded(ended.there)}`,
          })
      },
    } satisfies Partial<Record<RunStep, Step>>
  }
}

/** Notes where an application is that runs, and what it runs. */
function createNoteUpstream(known: ObservedState, services: Pick<ServiceSteps, 'look' | 'tell'>) {
  return async (workload: WorkloadState | undefined, application: Application | undefined): Promise<void> => {
    if (!workload?.upstream) return
    const { orderId, deploymentId, upstream } = workload
    known.upstreams.set(orderId, upstream)
    if (!application?.services) return void known.images.set(orderId, workload)
    const command = { orderId, deploymentId }
    const all = await services.look({ command, application })
    services.tell(command, all)
    const addresses = all.flatMap(({ service, there }) =>
      there?.upstream ? [[service.name, there.upstream.address] as const] : [],
    )
    known.services.set(orderId, new Map(addresses))
    const images = all.flatMap(({ service, there }) => (there ? [{ service: service.name, imageId: there.imageId }] : []))
    // Without one of them it is not what was promised, and nothing is said of it.
    if (images.length === all.length) known.images.set(orderId, { deploymentId, imageId: imageOf(images) })
    else known.images.delete(orderId)
  }
}

/** What an order runs as one image: of several services the hash of the list of theirs, by digests alone. */
const imageOf = (images: readonly { service: string; imageId: string }[]): string => {
  const digests = images.map(({ service, imageId }) => ({
    service,
    digest: `sha256:${imageDigest(imageId)?.slice(2) ?? imageId}`,
  }))
  return keccak256(stringToBytes(imageList(digests))).slice(2)
}
