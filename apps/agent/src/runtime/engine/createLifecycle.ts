import { chownSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { LogPosition } from '../output/LogSource.ts'
import { lastLines } from '../output/lastLines.ts'
import type { Runtime, Workload, WorkloadState } from '../Runtime.ts'
import { chooseCpus } from './chooseCpus.ts'
import { containerOptions } from './containerOptions.ts'
import { engineError } from './engineError.ts'
import { execIn } from './execIn.ts'
import { libpod } from './libpod.ts'
import { bridgeName, LABEL, linkName, workloadName } from './names.ts'
import type { Engine } from './openEngine.ts'
import { ensureBridge } from './orderBridge.ts'
import { ensureNetwork, removeNetwork } from './orderNetwork.ts'
import { ranOutOfMemory } from './outOfMemory.ts'
import { podmanSpec } from './podmanSpec.ts'
import { probeAddress } from './probeAddress.ts'
import { type ContainerWalls, startContainer } from './startContainer.ts'
import { subnetOf } from './subnets.ts'
import { firstUserId } from './userIds.ts'
import { workloadState } from './workloadState.ts'

/** What ends sooner has not started; an application without a port is not asked more. */
const STARTED_MS = 1000

/** The container of an order, from its making to its end. `whyNoGvisor` is the runtime's. */
export function createLifecycle(
  engine: Engine,
  whyNoGvisor: string | undefined,
): Pick<Runtime, 'create' | 'start' | 'probe' | 'stop' | 'remove' | 'find' | 'logs'> {
  const { docker, instance, block, slots, containers, firewall, wall, disks, firstOfAgent } = engine
  /** Where the output of an order's last start begins: all its containers write into one ring. */
  const begun = new Map<bigint, LogPosition>()
  const firstIdOf = ({ app, slot }: Workload) => (app.own?.sandbox === undefined ? firstUserId(firstOfAgent, slot) : 0)
  const wallsOf = ({ slot, sandboxed }: WorkloadState): ContainerWalls => ({
    kind: engine.kind,
    wire: { ...subnetOf(block, slot), link: linkName(instance, slot), bridge: bridgeName(instance, slot) },
    resolvers: engine.resolvers.current(),
    firstUserId: firstUserId(firstOfAgent, slot),
    gvisorRun: sandboxed ? engine.paths.run : undefined,
  })

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

  return {
    async create(workload, imageId) {
      const { orderId, deploymentId, slot } = workload
      const network = subnetOf(block, slot)
      const isOf = (one: Parameters<typeof workloadState>[0]) => workloadState(one).deploymentId === deploymentId
      const isPlaced = (one: Parameters<typeof workloadState>[0]) =>
        engine.kind === 'docker' || one.Config.Labels[LABEL.address] === network.address
      try {
        const there = await containers.inspect(orderId)
        // Nothing is touched below a program that runs.
        if (there?.State.Running && isOf(there)) return
        if (workload.app.own?.sandbox !== undefined && whyNoGvisor !== undefined)
          throw new AppError(
            'runtime_refused',
            'this provider cannot start a container behind gVisor: deploy without it, or elsewhere',
            {
              cause: whyNoGvisor,
            },
          )
        const ownRoot = workload.app.own ? await engine.own.prepare(workload, imageId, firstIdOf(workload)) : undefined
        const volumeFolders = await volumesOf(workload)
        slots.add(slot)
        await firewall.apply([...slots])
        const existing = await containers.inspect(orderId)
        if (existing && !(isOf(existing) && isPlaced(existing))) await containers.remove(orderId)
        if (engine.kind === 'docker') await ensureNetwork(docker, { instance, orderId, slot, block })
        else await ensureBridge(bridgeName(instance, slot), network)
        if (existing && isOf(existing) && isPlaced(existing)) return
        await makeContainer(engine, workload, { imageId, volumeFolders, ownRoot, firstUserId: firstIdOf(workload) })
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
      begun.set(orderId, engine.outputs.source(orderId).end())
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

    async logs(orderId, lines) {
      const existing = await containers.inspect(orderId)
      if (!existing) return ''
      const startedAt = Date.parse(existing.State.StartedAt)
      if (engine.kind === 'docker') return containers.logs(orderId, lines, startedAt)
      const position = begun.get(orderId)
      return lastLines(engine.outputs.source(orderId), lines, position ?? { startedAt })
    },

    async remove(orderId, { wipe, keepVolumes = false }) {
      if (wipe && !keepVolumes) await engine.own.forget(orderId)
      const one = await containers.inspect(orderId)
      await containers.remove(orderId)
      if (wipe) await containers.aside.remove(orderId)
      if (engine.kind === 'docker') await removeNetwork(docker, workloadName(instance, orderId))
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
  }
}

interface Made {
  imageId: string
  volumeFolders: Map<string, string>
  ownRoot: Awaited<ReturnType<Engine['own']['prepare']>> | undefined
  firstUserId: number
}

/** Gives the engine the container, behind its walls and not started. */
async function makeContainer(engine: Engine, workload: Workload, { imageId, volumeFolders, ownRoot, firstUserId }: Made) {
  const { docker, instance, maxOpenFiles, containers } = engine
  const isSandboxed = workload.app.own?.sandbox !== undefined
  const used = (await containers.inspectAll()).map((one) => one.HostConfig.CpusetCpus ?? '')
  const context = {
    ...{ instance, imageId, maxOpenFiles, volumeFolders },
    seccomp: engine.seccompOf(isSandboxed),
    resolvers: engine.resolvers.current(),
    cpus: chooseCpus(workload.allowance.cores, used),
  }
  if (engine.kind === 'docker') await docker.createContainer(containerOptions(workload, context))
  else
    await libpod(
      docker,
      'POST',
      '/containers/create',
      podmanSpec(workload, {
        ...context,
        ...(ownRoot ? { own: ownRoot } : {}),
        firstUserId,
        address: subnetOf(engine.block, workload.slot).address,
        files: { ...engine.files.of(workload.app.name), ...(isSandboxed ? {} : engine.procView.files()) },
        outputFile: engine.outputs.prepare(workload.orderId),
        toolsFolder: engine.toolsFolder,
      }),
    )
}
