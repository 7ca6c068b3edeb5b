import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import Docker from 'dockerode'
import type { Log } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { singleFlight } from '../../foundation/singleFlight.ts'
import { AGENTS_FILE } from '../agentsFile.ts'
import { OWN_IMAGES, type OwnImages } from '../ownImageRules.ts'
import { createContainers } from './createContainers.ts'
import { createOwnApps } from './createOwnApps.ts'
import { createWalls } from './createWalls.ts'
import { prepareFileServer } from './fileServer.ts'
import { createFirewall } from './firewall.ts'
import { launcherPath } from './gvisor.ts'
import { createImageStore, dockerImport } from './imageStore.ts'
import { raiseKernelLimits } from './kernelLimits.ts'
import { sweepBuilds } from './mmdebstrap.ts'
import { createOrderDisks } from './orderDisk.ts'
import { createOutputFiles } from './outputFiles.ts'
import { answers, podmanPaths, startPodmanService } from './podmanService.ts'
import { createProcView } from './procView.ts'
import { createRecipeStore } from './recipeStore.ts'
import { createResolvers } from './resolvers.ts'
import { seccompProfile } from './seccompProfile.ts'
import { blockOf, chooseBlock } from './subnets.ts'
import { createTenantFiles } from './tenantFiles.ts'
import { claimUserIds } from './userIds.ts'
import { addressOf } from './workloadState.ts'

export interface EngineOptions {
  /** Six hex digits that tell this agent from others on the machine. */
  instance: string
  data: string
  presetsFolder: string
  imageCache?: string | undefined
  /** Docker's socket; without one the agent runs podman's service itself. */
  dockerSocket?: string | undefined
  overcommitDisk?: boolean
  /** DNS resolvers for tenants; public ones by default. */
  resolvers?: readonly string[] | undefined
  /** An engine that does not answer for this long counts as stuck. */
  pingMs?: number | undefined
  /** Rules for renters' images; by default everything from public registries. */
  ownImages?: OwnImages
  log: Log
}

/** Request timeout: an engine that is silent for this long is stuck, and so are its callers. */
const ANSWER_MS = 120_000

/** A container engine that answers, and what the agent keeps beside it: the parts that the methods of its runtime share. */
export type Engine = Awaited<ReturnType<typeof openEngine>>

/** Starts podman's service, or takes Docker's, and raises the walls before anything may start behind them. */
export async function openEngine(options: EngineOptions) {
  const { instance, data, dockerSocket, log } = options
  const kind = dockerSocket ? ('docker' as const) : ('podman' as const)
  const paths = podmanPaths(join(data, 'engine'), instance)
  const tarFolder = options.imageCache ?? join(data, 'images')
  const store = kind === 'podman' ? createRecipeStore(tarFolder) : undefined
  await sweepBuilds()
  mkdirSync(paths.data, { recursive: true })
  store?.link(paths.images)
  const service = await keepService(options, paths)
  const docker = new Docker({ socketPath: service.socketPath, timeout: ANSWER_MS })
  /** Without the timeout, for requests that may be silent for long: downloads, terminals. */
  const patient = new Docker({ socketPath: service.socketPath })
  const containers = createContainers(docker, kind, instance)
  // Orders keep their addresses, whatever else has come to have them since.
  const [used] = (await containers.inspectAll()).flatMap((one) => addressOf(one) ?? [])
  const block = used === undefined ? chooseBlock(instance) : blockOf(used)
  const resolvers = createResolvers({ configured: options.resolvers, onChange: () => applyResolvers(), log })
  const firewall = createFirewall(instance, block, resolvers.current)
  const files = createTenantFiles(join(paths.data, 'tenants'))
  files.writeResolvers(resolvers.current())
  const procView = createProcView(paths.run, log)
  if (kind === 'podman') await procView.start()
  const firstOfAgent = kind === 'podman' ? claimUserIds(instance, data) : 0
  for (const { name, least } of raiseKernelLimits())
    log.warn(`the kernel's limit ${name} is too low and cannot be raised: one tenant could use it up`, { least })
  const outputs = createOutputFiles(join(data, 'output'))
  const disks = createOrderDisks(join(data, 'volumes'), options.overcommitDisk ?? false, paths.roots)
  const images = createImageStore({
    docker,
    patient,
    folder: join(data, 'images'),
    ...{ tarFolder, presetsFolder: options.presetsFolder, store },
    importTar: (key, tar, name, recipe) =>
      store ? store.import(key, tar, name, recipe) : dockerImport(patient, tar, name, recipe),
  })
  const ownImages = options.ownImages ?? OWN_IMAGES
  const own = createOwnApps({ docker, instance, folder: join(data, 'images'), settings: ownImages, disks, log })
  const seccompOf = writeSeccompProfiles(kind, paths.data)
  const maxOpenFiles = await hardLimitOfOpenFiles()
  const toolsFolder = kind === 'podman' ? await prepareFileServer(join(paths.data, 'tools')) : undefined
  // What is mounted on it is each order's own.
  if (toolsFolder) writeFileSync(join(toolsFolder, AGENTS_FILE), '')
  const slots = new Set<number>()
  const { wall, applyOwnWalls } = createWalls({
    ...{ instance, block, firewall, slots, containers, log },
    resolvers: resolvers.current,
  })
  const applyResolvers = async () => {
    files.writeResolvers(resolvers.current())
    await firewall.apply([...slots])
    await applyOwnWalls()
  }
  for (const { slot, orderId, service } of await containers.list()) {
    slots.add(slot)
    if (kind === 'podman') outputs.prepare(orderId, service)
  }
  await wall.raise()
  await applyOwnWalls()
  return {
    ...{ kind, instance, paths, docker, patient, block, service, firstOfAgent, slots },
    ...{ resolvers, firewall, files, procView, outputs, disks, images, own, containers, wall },
    ...{ seccompOf, maxOpenFiles, toolsFolder },
    /** The OCI runtime of this agent, and where the ids of what it runs in containers are kept. */
    inside: { launcher: launcherPath(paths.data), run: join(paths.run, 'execs') },
  }
}

/** The engine's service: podman's own is started again when it does not answer, Docker's is somebody else's. */
async function keepService({ dockerSocket, pingMs, log }: EngineOptions, paths: ReturnType<typeof podmanPaths>) {
  let own = dockerSocket ? undefined : await startPodmanService(paths, pingMs)
  const socketPath = dockerSocket ?? paths.socket
  let closed = false
  const keep = singleFlight(async () => {
    if (closed || (await answers(socketPath, pingMs))) return
    if (dockerSocket) throw new AppError('engine_unavailable', 'Docker does not answer', { retryable: true })
    log.warn('the container engine does not answer; starting it again')
    own = await startPodmanService(paths, pingMs)
  })
  return {
    socketPath,
    keep,
    isClosed: () => closed,
    /** After this the service is not restarted. */
    close: () => {
      closed = true
    },
    stop: () => own?.stop(),
  }
}

/** What podman reads from a file, Docker's API takes as text. */
function writeSeccompProfiles(kind: 'podman' | 'docker', folder: string): (sandboxed: boolean) => string {
  const file = (sandboxed: boolean) => join(folder, sandboxed ? 'seccomp-gvisor.json' : 'seccomp.json')
  for (const sandboxed of [false, true]) writeFileSync(file(sandboxed), JSON.stringify(seccompProfile({ sandboxed })))
  return (sandboxed) => (kind === 'podman' ? file(sandboxed) : JSON.stringify(seccompProfile()))
}

async function hardLimitOfOpenFiles(): Promise<number> {
  const { stdout } = await runCommand('sh', ['-c', 'ulimit -Hn'])
  return Number(stdout.trim()) || 1_048_576
}
