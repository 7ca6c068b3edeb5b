import { chownSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { Runtime, Workload } from '../Runtime.ts'
import { chooseCpus, parseCpus } from './chooseCpus.ts'
import { containerOptions } from './containerOptions.ts'
import { dropNext } from './createAside.ts'
import { engineError } from './engineError.ts'
import { libpod } from './libpod.ts'
import { bridgeName, LABEL, nextName, workloadName } from './names.ts'
import type { Engine } from './openEngine.ts'
import { ensureBridge } from './orderBridge.ts'
import { limitOrder } from './orderCgroup.ts'
import { ensureNetwork } from './orderNetwork.ts'
import { otherSide, type Side, sideOnDisk } from './ownRoot.ts'
import { HELPERS, podmanSpec } from './podmanSpec.ts'
import { subnetOf } from './subnets.ts'
import { processesOf } from './tenantLimits.ts'
import { firstUserId } from './userIds.ts'
import { sideOf, workloadState } from './workloadState.ts'

/** How the container of an order is made. `whyNoGvisor` is the runtime's. */
export function createMaker(engine: Engine, whyNoGvisor: string | undefined): Pick<Runtime, 'prepare' | 'create'> {
  const { docker, instance, block, slots, containers, firewall, firstOfAgent } = engine
  const firstIdOf = ({ app, slot }: Workload) => (app.own?.sandbox === undefined ? firstUserId(firstOfAgent, slot) : 0)
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
        const volumeFolders = await volumesOf(engine, workload)
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
  }
}

/** The folders of a preset's volumes by name; an own application's lie in its own root. */
async function volumesOf({ kind, disks }: Engine, { orderId, app, allowance }: Workload): Promise<Map<string, string>> {
  if (app.own || app.volumes.length === 0) return new Map()
  const folders = await disks.mount(
    orderId,
    allowance.diskBytes,
    app.volumes.map(({ name }) => name),
  )
  if (kind === 'docker') for (const folder of folders.values()) chownSync(folder, app.uid, app.gid)
  return folders
}

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
