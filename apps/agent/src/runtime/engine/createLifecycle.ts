import { chownSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { LogPosition } from '../output/LogSource.ts'
import { lastLines } from '../output/lastLines.ts'
import type { Runtime, Workload } from '../Runtime.ts'
import { chooseCpus, parseCpus } from './chooseCpus.ts'
import { containerOptions } from './containerOptions.ts'
import { dropNext } from './createAside.ts'
import { engineError } from './engineError.ts'
import { execIn } from './execIn.ts'
import { libpod } from './libpod.ts'
import { bridgeName, LABEL, linkName, nextName, workloadName } from './names.ts'
import type { Engine } from './openEngine.ts'
import { ensureBridge } from './orderBridge.ts'
import { forgetOrderLimits, limitOrder } from './orderCgroup.ts'
import { ensureNetwork, removeNetwork } from './orderNetwork.ts'
import { ranOutOfMemory } from './outOfMemory.ts'
import { otherSide, type Side, sideOnDisk } from './ownRoot.ts'
import { HELPERS, podmanSpec } from './podmanSpec.ts'
import { probeAddress } from './probeAddress.ts'
import { checkInContainer } from './runInContainer.ts'
import { type ContainerWalls, startContainer } from './startContainer.ts'
import { subnetOf } from './subnets.ts'
import { processesOf } from './tenantLimits.ts'
import { firstUserId } from './userIds.ts'
import { sideOf, workloadState } from './workloadState.ts'

/** What ends sooner has not started; an application without a port is not asked more. */
const STARTED_MS = 1000
/** A command that says whether an application is well, and takes longer, says no. */
const CHECK_MS = 10_000

/** The container of an order, from its making to its end. `whyNoGvisor` is the runtime's. */
export function createLifecycle(
  engine: Engine,
  whyNoGvisor: string | undefined,
): Pick<Runtime, 'prepare' | 'create' | 'start' | 'probe' | 'stop' | 'stopService' | 'remove' | 'find' | 'logs'> {
  const { docker, instance, block, slots, containers, firewall, wall, disks, firstOfAgent } = engine
  /** Where the output of an order's last start begins: all its containers write into one ring. */
  const begun = new Map<string, LogPosition>()
  const firstIdOf = ({ app, slot }: Workload) => (app.own?.sandbox === undefined ? firstUserId(firstOfAgent, slot) : 0)
  /** The folders of a preset's volumes by name; an own application's lie in its own root. */
  const volumesOf = async ({ orderId, app, allowance }: Workload): Promise<Map<string, string>> => {
    if (app.own || app.volumes.length === 0) return new Map()
    const folders = await disks.mount(
      orderId,
      allowance.diskBytes,
      app.volumes.map(({ name }) => name),
    )
    if (engine.kind === 'docker') for (const folder of folders.values()) chownSync(folder, app.uid, app.gid)
    return folders
  }

  /** Whether a container is that of a workload, where it is meant to be. */
  const isIts = ({ deploymentId, slot, app }: Workload, one: Docker.ContainerInspectInfo) =>
    workloadState(one).deploymentId === deploymentId &&
    (engine.kind === 'docker' || one.Config.Labels[LABEL.address] === subnetOf(block, slot, app.service?.place).address)
  const requireGvisor = ({ app }: Workload): void => {
    if (app.own?.sandbox === undefined || whyNoGvisor === undefined) return
    const sentence = 'this provider cannot start a container behind gVisor: deploy without it, or elsewhere'
    throw new AppError('runtime_refused', sentence, { cause: whyNoGvisor })
  }

  return {
    async prepare(workload, imageId) {
      const { orderId, deploymentId, app } = workload
      const service = app.service?.key
      // All services of an order are on the side of the main one.
      const there = await containers.inspect(orderId)
      const side = there && workloadState(there).deploymentId !== deploymentId ? sideOf(there) : undefined
      if (!app.own || !side || (await containers.aside.inspect(orderId))) return
      try {
        requireGvisor(workload)
        const next = await containers.next.inspect(orderId, service)
        if (next && isIts(workload, next)) return
        const made = await containers.next.deployments(orderId)
        // What was made for another, or is left of a root that was not made to its end.
        if (next || made.length === 0 || made.some((one) => one !== deploymentId)) await dropNext(engine, orderId)
        const ownRoot = await engine.own.prepare(workload, imageId, firstIdOf(workload), otherSide(side))
        const name = nextName(instance, orderId, service)
        await makeContainer(engine, workload, {
          name,
          imageId,
          ownRoot,
          volumeFolders: new Map(),
          firstUserId: firstIdOf(workload),
        })
      } catch (error) {
        throw engineError(error)
      }
    },

    async create(workload, imageId) {
      const { orderId, slot, app } = workload
      const service = app.service?.key
      const its = (one: Docker.ContainerInspectInfo | undefined) => one !== undefined && isIts(workload, one)
      try {
        const there = await containers.inspect(orderId, service)
        // Nothing is touched below a program that runs.
        if (there?.State.Running && workloadState(there).deploymentId === workload.deploymentId) return
        requireGvisor(workload)
        const ownRoot = app.own
          ? await engine.own.prepare(workload, imageId, firstIdOf(workload), await sideFor(engine, orderId))
          : undefined
        const volumeFolders = await volumesOf(workload)
        slots.add(slot)
        await firewall.apply([...slots])
        const existing = await containers.inspect(orderId, service)
        if (existing && !its(existing)) await containers.remove(orderId, service)
        if (engine.kind === 'docker') await ensureNetwork(docker, { instance, orderId, slot, block })
        else await ensureBridge(bridgeName(instance, slot), subnetOf(block, slot, app.service?.place))
        if (workload.note !== undefined) engine.files.writeNote(orderId, workload.note)
        if (its(existing)) return
        containers.know(orderId, service)
        if (its(await containers.next.inspect(orderId, service))) return containers.next.take(orderId, service)
        const name = workloadName(instance, orderId, service)
        await makeContainer(engine, workload, { name, imageId, volumeFolders, ownRoot, firstUserId: firstIdOf(workload) })
      } catch (error) {
        throw engineError(error)
      }
    },

    async start(orderId, service) {
      if (wall.isShut() || !(await firewall.intact()))
        throw new AppError('isolation_unavailable', 'the firewall of the tenants is not in place', { retryable: true })
      const existing = await containers.inspect(orderId, service)
      if (!existing) throw new AppError('start_failed', 'the container is gone', { retryable: true })
      if (existing.State.Running) return
      begun.set(workloadName(instance, orderId, service), engine.outputs.source(orderId, service).end())
      writeHosts(engine, existing)
      try {
        await startContainer(docker, workloadName(instance, orderId, service), wallsOf(engine, existing))
      } catch (error) {
        throw engineError(error)
      }
    },

    async probe(orderId, probe, service) {
      if (wall.isShut()) throw new AppError('isolation_unavailable', 'the networks of the tenants are shut', { retryable: true })
      const one = await containers.inspect(orderId, service)
      if (!one?.State.Running) return false
      if (probe.kind === 'started') return Date.now() - Date.parse(one.State.StartedAt) >= STARTED_MS
      if (probe.kind === 'exec') return isWell(engine, one.Id, probe.command)
      const { upstream } = workloadState(one)
      return upstream !== undefined && probeAddress(upstream.address, probe)
    },

    async stop(orderId) {
      await Promise.all(containers.servicesOf(orderId).map((service) => containers.stop(orderId, 5, service)))
    },

    stopService: (orderId, service) => containers.stop(orderId, 5, service),

    async logs(orderId, lines, service) {
      const existing = await containers.inspect(orderId, service)
      if (!existing) return ''
      const startedAt = Date.parse(existing.State.StartedAt)
      if (engine.kind === 'docker') return containers.logs(orderId, lines, startedAt)
      const position = begun.get(workloadName(instance, orderId, service))
      return lastLines(engine.outputs.source(orderId, service), lines, position ?? { startedAt })
    },

    async remove(orderId, { wipe, keepVolumes = false }) {
      if (wipe && !keepVolumes) await engine.own.forget(orderId)
      const [one] = (
        await Promise.all(containers.servicesOf(orderId).map((service) => containers.inspect(orderId, service)))
      ).flatMap((its) => its ?? [])
      await containers.removeAll(orderId)
      await containers.next.remove(orderId)
      if (wipe) await containers.aside.remove(orderId)
      if (engine.kind === 'docker') await removeNetwork(docker, workloadName(instance, orderId))
      if (one) {
        const { slot } = workloadState(one)
        // Before the slot is given out again, with a bridge of the same name.
        await wall.removeBridge(slot)
        slots.delete(slot)
      }
      if (engine.kind === 'podman') forgetOrderLimits(instance, orderId)
      if (wipe) {
        engine.files.forget(orderId)
        await disks.wipe(orderId, { keepVolumes })
      } else await disks.unmount(orderId)
    },

    async find(orderId, service) {
      const one = await containers.inspect(orderId, service)
      if (!one) return undefined
      const state = workloadState(one)
      return { ...state, outOfMemory: state.outOfMemory || (await ranOutOfMemory(one)) }
    },
  }
}

/**
 * Whether an application is well, as a command in its container says. By the OCI runtime itself, which takes a quarter of the engine's time: a
 * service that others wait for is asked often.
 */
async function isWell({ kind, docker, inside }: Engine, containerId: string, command: readonly string[]): Promise<boolean> {
  if (kind === 'podman') return checkInContainer(inside, containerId, command, CHECK_MS)
  return (await execIn(docker.getContainer(containerId), command, CHECK_MS)).code === 0
}

function wallsOf(engine: Engine, one: Docker.ContainerInspectInfo): ContainerWalls {
  const { kind, instance, block, firstOfAgent } = engine
  const { slot, sandboxed, service } = workloadState(one)
  const names = namesOf(one)
  const place = service === undefined ? 0 : names.findIndex(([name]) => name === service)
  return {
    kind,
    wire: { ...subnetOf(block, slot, place), link: linkName(instance, slot, place), bridge: bridgeName(instance, slot) },
    resolvers: engine.resolvers.current(),
    firstUserId: firstUserId(firstOfAgent, slot),
    gvisorRun: sandboxed ? engine.paths.run : undefined,
    services: Math.max(1, names.length),
  }
}

/** Lets several services of an order find each other; what stood there may be of another deployment. */
function writeHosts({ block, files }: Engine, one: Docker.ContainerInspectInfo): void {
  const { orderId, slot } = workloadState(one)
  const hosts = namesOf(one).map((names, place) => ({ address: subnetOf(block, slot, place).address, names }))
  if (hosts.length > 0) files.writeHosts(orderId, hosts)
}

/** Names of all services of a container's order by their place; none where it has one container. */
const namesOf = ({ Config }: Docker.ContainerInspectInfo): string[][] =>
  JSON.parse(Config.Labels[LABEL.services] ?? '[]') as string[][]

/** The side of the order's disk on which the root of its container is to be. */
async function sideFor({ containers, disks }: Engine, orderId: bigint): Promise<Side> {
  const there = await containers.inspect(orderId)
  const aside = await containers.aside.inspect(orderId)
  const earlier = aside && sideOf(aside)
  return (there && sideOf(there)) ?? (earlier ? otherSide(earlier) : sideOnDisk(disks.home(orderId)))
}

/** The processors of an order: those that it has, if they are as many as it bought, or those that the fewest orders have. */
async function cpusFor({ containers }: Engine, { orderId, deploymentId, allowance }: Workload): Promise<string> {
  const used = new Map<bigint, string>()
  let its: string | undefined
  for (const one of await containers.inspectAll()) {
    const state = workloadState(one)
    const cpus = one.HostConfig.CpusetCpus ?? ''
    if (state.orderId !== orderId) used.set(state.orderId, cpus)
    else if (state.deploymentId === deploymentId) return cpus
    else its = cpus
  }
  const chosen = chooseCpus(allowance.cores, [...used.values()])
  return its !== undefined && parseCpus(its).length === parseCpus(chosen).length ? its : chosen
}

interface Made {
  /** Of the container. */
  name: string
  imageId: string
  volumeFolders: Map<string, string>
  ownRoot: Awaited<ReturnType<Engine['own']['prepare']>> | undefined
  firstUserId: number
}

/** Gives the engine the container, behind its walls and not started. */
async function makeContainer(engine: Engine, workload: Workload, { name, imageId, volumeFolders, ownRoot, firstUserId }: Made) {
  const { docker, instance, maxOpenFiles } = engine
  const { orderId, slot, allowance, app } = workload
  const isSandboxed = app.own?.sandbox !== undefined
  const cpus = await cpusFor(engine, workload)
  const { processes } = processesOf(workload)
  if (app.service)
    limitOrder(instance, orderId, { ...allowance, cpus, processes: processes + HELPERS * app.service.names.length })
  const context = {
    ...{ instance, imageId, maxOpenFiles, volumeFolders },
    seccomp: engine.seccompOf(isSandboxed),
    resolvers: engine.resolvers.current(),
    noteFile: workload.note === undefined ? undefined : engine.files.noteOf(orderId),
    cpus,
  }
  if (engine.kind === 'docker') await docker.createContainer(containerOptions(workload, context))
  else
    await libpod(
      docker,
      'POST',
      '/containers/create',
      podmanSpec(workload, {
        ...context,
        name,
        ...(ownRoot ? { own: ownRoot } : {}),
        firstUserId,
        address: subnetOf(engine.block, slot, app.service?.place).address,
        files: {
          ...(app.service ? engine.files.ofServices(orderId) : engine.files.of(app.name)),
          ...(isSandboxed ? {} : engine.procView.files()),
        },
        outputFile: engine.outputs.prepare(orderId, app.service?.key),
        toolsFolder: engine.toolsFolder,
      }),
    )
}
