import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/core'
import Docker from 'dockerode'
import { OWN_IMAGES, type OwnImages } from '../../config/agentConfig.ts'
import type { Log } from '../../log.ts'
import type { Runtime, WorkloadState } from '../Runtime.ts'
import { runCommand } from '../runCommand.ts'
import { chooseCpus } from './chooseCpus.ts'
import { containerOptions } from './containerOptions.ts'
import { createContainers } from './createContainers.ts'
import { createInside } from './createInside.ts'
import { createOwnApps } from './createOwnApps.ts'
import { createWalls } from './createWalls.ts'
import { engineError } from './engineError.ts'
import { execIn } from './execIn.ts'
import { prepareFileServer } from './fileServer.ts'
import { createFirewall, type Firewall } from './firewall.ts'
import { launcherPath, whyNoGvisor } from './gvisor.ts'
import { createImageStore, dockerImport, type ImageStore } from './imageStore.ts'
import { raiseKernelLimits } from './kernelLimits.ts'
import { libpod } from './libpod.ts'
import { workloadName } from './names.ts'
import { createOrderDisks } from './orderDisk.ts'
import { ensureNetwork, removeNetwork, usedBlock } from './orderNetwork.ts'
import { ranOutOfMemory } from './outOfMemory.ts'
import { createOutputFiles } from './outputFiles.ts'
import { answers, podmanPaths, startPodmanService } from './podmanService.ts'
import { podmanSpec } from './podmanSpec.ts'
import { probeAddress } from './probeAddress.ts'
import { createProcView, endProcView } from './procView.ts'
import { createRecipeStore } from './recipeStore.ts'
import { unmountBelow } from './removeEngine.ts'
import { createResolvers } from './resolvers.ts'
import { seccompProfile } from './seccompProfile.ts'
import { singleFlight } from './singleFlight.ts'
import { type ContainerWalls, startContainer } from './startContainer.ts'
import { chooseBlock, subnetOf } from './subnets.ts'
import { createTenantFiles } from './tenantFiles.ts'
import { claimUserIds, firstUserId } from './userIds.ts'
import { workloadState } from './workloadState.ts'

export interface EngineOptions {
  /** Six hex digits that tell this agent from others on the machine. */
  instance: string
  data: string
  presetsFolder: string
  imageCache?: string | undefined
  /** Docker's socket; without one the agent runs podman's service itself. */
  dockerSocket?: string | undefined
  overcommitDisk?: boolean
  /** What tenants ask for names; without, public resolvers. */
  resolvers?: readonly string[] | undefined
  /** An engine that does not answer for so long is stuck. */
  pingMs?: number | undefined
  /** What renters may bring; without, everything of public registries. */
  ownImages?: OwnImages
  log: Log
}

/** An engine that says nothing for so long is stuck, and who waits for it with it. */
const ANSWER_MS = 120_000
/** What ends sooner has not started; an application without a port is not asked more. */
const STARTED_MS = 1000

export interface EngineRuntime extends Runtime {
  images: ImageStore
  firewall: Firewall
}

/**
 * Runs orders with podman, or with Docker through its socket. Only podman was run by this project; what Docker wants otherwise
 * (inline seccomp profile, device requests, volumes owned by the container's user, no user namespace per container) follows its documentation.
 */
export async function createEngineRuntime({
  instance,
  data,
  presetsFolder,
  imageCache,
  dockerSocket,
  overcommitDisk = false,
  resolvers: configuredResolvers,
  pingMs,
  ownImages = OWN_IMAGES,
  log,
}: EngineOptions): Promise<EngineRuntime> {
  const kind = dockerSocket ? 'docker' : 'podman'
  const paths = podmanPaths(join(data, 'engine'), instance)
  const tarFolder = imageCache ?? join(data, 'images')
  const store = kind === 'podman' ? createRecipeStore(tarFolder) : undefined
  mkdirSync(paths.data, { recursive: true })
  store?.link(paths.images)
  let service = dockerSocket ? undefined : await startPodmanService(paths, pingMs)
  const socketPath = dockerSocket ?? paths.socket
  const docker = new Docker({ socketPath, timeout: ANSWER_MS })
  /** For what may be silent for long without being stuck: downloads, terminals. */
  const patient = new Docker({ socketPath })
  // Networks keep their addresses, whatever else has come to have them since.
  const block = (await usedBlock(docker, instance)) ?? chooseBlock(instance)
  const resolvers = createResolvers({ configured: configuredResolvers, onChange: () => applyResolvers(), log })
  const firewall = createFirewall(instance, block, resolvers.current)
  const files = createTenantFiles(join(paths.data, 'tenants'))
  files.writeResolvers(resolvers.current())
  const procView = createProcView(paths.run, log)
  if (kind === 'podman') await procView.start()
  const firstOfAgent = kind === 'podman' ? claimUserIds(instance, data) : 0
  for (const { name, least } of raiseKernelLimits())
    log.warn(`the kernel's limit ${name} is too low and cannot be raised: one tenant could use it up`, { least })
  const outputs = createOutputFiles(join(data, 'output'))
  const disks = createOrderDisks(join(data, 'volumes'), overcommitDisk, paths.roots)
  const seccompFile = (sandboxed: boolean) => join(paths.data, sandboxed ? 'seccomp-gvisor.json' : 'seccomp.json')
  for (const sandboxed of [false, true]) writeFileSync(seccompFile(sandboxed), JSON.stringify(seccompProfile({ sandboxed })))
  const seccompOf = (sandboxed: boolean) => (kind === 'podman' ? seccompFile(sandboxed) : JSON.stringify(seccompProfile()))
  const maxOpenFiles = await hardLimitOfOpenFiles()
  const images = createImageStore({
    docker,
    patient,
    folder: join(data, 'images'),
    ...{ tarFolder, presetsFolder, store },
    importTar: (key, tar, name, changes) =>
      store ? store.import(key, tar, name, changes) : dockerImport(patient, tar, name, changes),
  })
  const own = createOwnApps({ docker, paths, folder: join(data, 'images'), settings: ownImages, disks, log })
  const toolsFolder = kind === 'podman' ? await prepareFileServer(join(paths.data, 'tools')) : undefined
  const slots = new Set<number>()
  let closed = false

  const containers = createContainers(docker, kind, instance)
  const wallsOf = ({ slot, sandboxed }: WorkloadState): ContainerWalls => ({
    kind,
    gateway: subnetOf(block, slot).gateway,
    resolvers: resolvers.current(),
    firstUserId: firstUserId(firstOfAgent, slot),
    gvisorRun: sandboxed ? paths.run : undefined,
  })
  /** Of those that see this machine's /proc where lxcfs shows no other. */
  const runningPids = async () => {
    const seeing = (await containers.inspectAll()).filter((one) => !workloadState(one).sandboxed)
    return seeing.map(({ State }) => State.Pid).filter((pid) => pid > 0)
  }
  const { wall, applyOwnWalls } = createWalls({
    ...{ kind, instance, block, paths, firewall, slots, containers, log },
    resolvers: resolvers.current,
  })
  const applyResolvers = async () => {
    files.writeResolvers(resolvers.current())
    await firewall.apply([...slots])
    await applyOwnWalls()
  }
  const keepEngine = singleFlight(async () => {
    if (closed || (await answers(socketPath, pingMs))) return
    if (kind === 'docker') throw new AppError('engine_unavailable', 'Docker does not answer', { retryable: true })
    log.warn('the container engine does not answer; starting it again')
    service = await startPodmanService(paths, pingMs)
  })

  for (const { slot, orderId } of await containers.list()) {
    slots.add(slot)
    if (kind === 'podman') outputs.prepare(orderId)
  }
  await wall.raise()
  await applyOwnWalls()

  const gvisor = kind === 'podman' ? await whyNoGvisor(paths.data) : 'this provider runs Docker'

  return {
    kind,
    // The engine puts it into every container.
    idleCommand: ['/run/podman-init', '-P'],
    whyNoGvisor: gvisor,
    images,
    firewall,

    async check() {
      if (closed) return
      // Side by side: an engine that hangs must not keep the wall from being looked after.
      const failed = (await Promise.allSettled([wall.keep(), keepEngine()])).find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      await wall.keepEngineRules()
      await procView.keep(runningPids)
      await resolvers.keep()
    },

    hasImage: async (app) => (await images.find(app)) !== undefined,
    ensureImage: async (app, onProgress, known) =>
      known !== undefined && (await images.present(known)) ? known : images.ensure(app, onProgress),

    async ensureOwnImage(app, known, options) {
      if (kind === 'docker')
        throw new AppError('own_images_refused', 'this provider runs Docker, which gives an order no user ids of its own')
      return own.ensure(app, known, options)
    },

    async create(workload, imageId) {
      const { uid, gid, volumes } = workload.app
      const names = volumes.map((one) => one.name)
      try {
        const there = await containers.inspect(workload.orderId)
        // Nothing is touched below a program that runs.
        if (there?.State.Running && workloadState(there).deploymentId === workload.deploymentId) return
        const isSandboxed = workload.app.own?.sandbox !== undefined
        if (isSandboxed && gvisor !== undefined)
          throw new AppError('runtime_refused', `this provider cannot start a container behind gVisor: ${gvisor}`)
        const firstId = isSandboxed ? 0 : firstUserId(firstOfAgent, workload.slot)
        const ownContext = workload.app.own ? { own: await own.prepare(workload, imageId, firstId) } : {}
        const folders =
          names.length > 0 && !workload.app.own
            ? await disks.mount(workload.orderId, workload.allowance.diskBytes, names)
            : new Map<string, string>()
        if (kind === 'docker') for (const volume of folders.values()) chownSync(volume, uid, gid)
        slots.add(workload.slot)
        await firewall.apply([...slots])
        const existing = await containers.inspect(workload.orderId)
        if (existing && workloadState(existing).deploymentId === workload.deploymentId) return
        if (existing) await containers.remove(workload.orderId)
        await ensureNetwork(docker, kind, { instance, orderId: workload.orderId, slot: workload.slot, block })
        const context = {
          ...{
            instance,
            imageId,
            seccomp: seccompOf(isSandboxed),
            volumeFolders: folders,
            maxOpenFiles,
            resolvers: resolvers.current(),
          },
          cpus: chooseCpus(
            workload.allowance.cores,
            (await containers.inspectAll()).map((one) => one.HostConfig.CpusetCpus ?? ''),
          ),
        }
        if (kind === 'docker') await docker.createContainer(containerOptions(workload, context))
        else {
          const own = {
            ...ownContext,
            firstUserId: firstId,
            files: { ...files.of(workload.app.name), ...(isSandboxed ? {} : procView.files()) },
            outputFile: outputs.prepare(workload.orderId),
            toolsFolder,
          }
          await libpod(docker, 'POST', '/containers/create', podmanSpec(workload, { ...context, ...own }))
        }
      } catch (error) {
        throw engineError(error)
      }
    },

    async start(orderId) {
      if (wall.isShut() || !(await firewall.intact()))
        throw new AppError('isolation_unavailable', 'the firewall of the tenants is not in place', { retryable: true })
      const existing = await containers.inspect(orderId)
      if (!existing) throw new AppError('start_failed', 'the container is gone', { retryable: true })
      if (existing.State.Running) return
      try {
        await startContainer(docker, workloadName(instance, orderId), wallsOf(workloadState(existing)))
      } catch (error) {
        throw engineError(error)
      }
    },

    async probe(orderId, probe) {
      if (wall.isShut()) throw new AppError('isolation_unavailable', 'the networks of the tenants are shut', { retryable: true })
      const one = await containers.inspect(orderId)
      if (!one?.State.Running) return false
      if (probe.kind === 'started') return Date.now() - Date.parse(one.State.StartedAt) >= STARTED_MS
      if (probe.kind === 'exec') return (await execIn(containers.get(orderId), probe.command, 10_000)).code === 0
      const { upstream } = workloadState(one)
      return upstream !== undefined && probeAddress(upstream.address, probe)
    },

    stop: (orderId) => containers.stop(orderId, 5),

    async remove(orderId, { wipe, keepVolumes = false }) {
      const one = await containers.inspect(orderId)
      await containers.remove(orderId)
      await removeNetwork(docker, workloadName(instance, orderId))
      if (one) {
        const { slot } = workloadState(one)
        // Before the slot is given out again, with a bridge of the same name.
        await wall.removeBridge(slot)
        slots.delete(slot)
      }
      if (wipe) await disks.wipe(orderId, { keepVolumes })
      else await disks.unmount(orderId)
    },

    async find(orderId) {
      const one = await containers.inspect(orderId)
      if (!one) return undefined
      const state = workloadState(one)
      return { ...state, outOfMemory: state.outOfMemory || (await ranOutOfMemory(one)) }
    },

    list: containers.list,
    ordersWithData: async () => disks.list(),

    logs: containers.logs,
    ...createInside({
      kind,
      instance,
      launcher: launcherPath(paths.data),
      run: join(paths.run, 'execs'),
      patient,
      containers,
      disks,
      outputs,
    }),

    async close({ stopWorkloads }) {
      closed = true
      outputs.close()
      await keepEngine().catch(() => {})
      if (stopWorkloads) {
        for (const state of await containers.list()) {
          if (state.running) await containers.stop(state.orderId, 2).catch(() => {})
          await disks.unmount(state.orderId).catch(() => {})
        }
        await firewall.remove()
      }
      await own.close()
      await service?.stop()
      if (stopWorkloads) await endProcView(paths.run)
      // podman leaves its storage mounted on itself, and some memory of containers: the folder could not be removed.
      if (stopWorkloads && kind === 'podman') unmountBelow(join(paths.data, 'storage'))
    },
  }
}

async function hardLimitOfOpenFiles(): Promise<number> {
  const { stdout } = await runCommand('sh', ['-c', 'ulimit -Hn'])
  return Number(stdout.trim()) || 1_048_576
}
