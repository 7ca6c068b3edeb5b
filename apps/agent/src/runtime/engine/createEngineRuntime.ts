import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/core'
import Docker from 'dockerode'
import type { Log } from '../../log.ts'
import type { Runtime, WorkloadState } from '../Runtime.ts'
import { runCommand } from '../runCommand.ts'
import { containerOptions } from './containerOptions.ts'
import { createTenantWall } from './createTenantWall.ts'
import { endExecs } from './endExecs.ts'
import { engineError, isMissing, isUnchanged } from './engineError.ts'
import { execIn, openTerminal } from './execIn.ts'
import { createFirewall, type Firewall } from './firewall.ts'
import { createImageStore, dockerImport, type ImageStore, podmanImport } from './imageStore.ts'
import { LABEL, workloadName } from './names.ts'
import { createOrderDisks } from './orderDisk.ts'
import { ensureNetwork, usedBlock } from './orderNetwork.ts'
import { answers, podmanArguments, podmanEnvironment, podmanPaths, startPodmanService } from './podmanService.ts'
import { probeAddress } from './probeAddress.ts'
import { seccompProfile } from './seccompProfile.ts'
import { singleFlight } from './singleFlight.ts'
import { chooseBlock } from './subnets.ts'
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
  /** An engine that does not answer for so long is stuck. */
  pingMs?: number | undefined
  log: Log
}

/** An engine that says nothing for so long is stuck, and who waits for it with it. */
const ANSWER_MS = 120_000
/** To write the rules of all containers again. */
const RELOAD_MS = 120_000

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
  pingMs,
  log,
}: EngineOptions): Promise<EngineRuntime> {
  const kind = dockerSocket ? 'docker' : 'podman'
  const paths = podmanPaths(join(data, 'engine'), instance)
  mkdirSync(paths.data, { recursive: true })
  let service = dockerSocket ? undefined : await startPodmanService(paths, pingMs)
  const socketPath = dockerSocket ?? paths.socket
  const docker = new Docker({ socketPath, timeout: ANSWER_MS })
  /** For what may be silent for long without being stuck: downloads, terminals. */
  const patient = new Docker({ socketPath })
  // Networks keep their addresses, whatever else has come to have them since.
  const block = (await usedBlock(docker, instance)) ?? chooseBlock(instance)
  const firewall = createFirewall(instance, block)
  const disks = createOrderDisks(join(data, 'volumes'), overcommitDisk)
  const seccompFile = join(paths.data, 'seccomp.json')
  writeFileSync(seccompFile, JSON.stringify(seccompProfile()))
  const seccomp = kind === 'podman' ? seccompFile : JSON.stringify(seccompProfile())
  const maxOpenFiles = await hardLimitOfOpenFiles()
  const images = createImageStore({
    docker,
    patient,
    folder: join(data, 'images'),
    tarFolder: imageCache ?? join(data, 'images'),
    presetsFolder,
    importTar: (tar, name, changes) =>
      kind === 'podman'
        ? podmanImport(podmanArguments(paths), podmanEnvironment(paths), tar, name, changes)
        : dockerImport(patient, tar, name, changes),
  })
  const slots = new Set<number>()
  let closed = false

  const container = (orderId: bigint) => docker.getContainer(workloadName(instance, orderId))
  const inspect = async (orderId: bigint) => {
    try {
      return await container(orderId).inspect()
    } catch (error) {
      if (isMissing(error)) return undefined
      throw engineError(error)
    }
  }

  const list = async (): Promise<WorkloadState[]> => {
    try {
      const all = await docker.listContainers({ all: true, filters: { label: [`${LABEL.instance}=${instance}`] } })
      const details = await Promise.all(
        all.map((one) =>
          docker
            .getContainer(one.Id)
            .inspect()
            .catch(() => undefined),
        ),
      )
      return details.flatMap((one) => (one ? [workloadState(one)] : []))
    } catch (error) {
      throw engineError(error)
    }
  }

  const hangUp = async (orderId: bigint) => {
    const one = kind === 'podman' ? await inspect(orderId) : undefined
    if (one) endExecs(one.Id)
  }

  const removeContainer = async (orderId: bigint) => {
    await hangUp(orderId)
    for (let attempt = 0; ; attempt += 1) {
      try {
        await container(orderId).remove({ force: true, v: true })
      } catch (error) {
        if (isMissing(error)) return
        // The engine unmounts behind the answer; a busy filesystem is free a moment later.
        if (attempt >= 20) throw engineError(error)
        await new Promise((resolve) => setTimeout(resolve, 100))
        continue
      }
      return
    }
  }

  const stopAll = async () => {
    for (const { orderId } of (await list()).filter((one) => one.running)) await container(orderId).stop({ t: 2 })
  }
  const reloadEngineRules = async () => {
    // After a start of the machine there are none to miss.
    if (!(await list()).some((one) => one.running)) return
    if (kind === 'docker')
      return log.error('the rules of Docker were removed with those of the tenants; restart Docker to get them back')
    log.warn('the rules of the container engine were removed with those of the tenants; making them again')
    const { code, stderr } = await runCommand('podman', [...podmanArguments(paths), 'network', 'reload', '--all'], {
      env: podmanEnvironment(paths),
      timeoutMs: RELOAD_MS,
    })
    if (code !== 0)
      throw new AppError('engine_unavailable', `podman network reload: ${stderr.trim().slice(-300)}`, { retryable: true })
  }
  const wall = createTenantWall({ instance, firewall, slots, stopAll, reloadEngineRules, log })
  const keepEngine = singleFlight(async () => {
    if (closed || (await answers(socketPath, pingMs))) return
    if (kind === 'docker') throw new AppError('engine_unavailable', 'Docker does not answer', { retryable: true })
    log.warn('the container engine does not answer; starting it again')
    service = await startPodmanService(paths, pingMs)
  })

  for (const { slot } of await list()) slots.add(slot)
  await wall.raise()

  return {
    kind,
    images,
    firewall,

    async check() {
      if (closed) return
      // Side by side: an engine that hangs must not keep the wall from being looked after.
      const failed = (await Promise.allSettled([wall.keep(), keepEngine()])).find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      await wall.keepEngineRules()
    },

    hasImage: async (app) => (await images.find(app)) !== undefined,
    ensureImage: (app, onProgress) => images.ensure(app, onProgress),

    async create(workload, imageId) {
      const folders =
        workload.app.volumes.length > 0
          ? await disks.mount(
              workload.orderId,
              workload.allowance.diskBytes,
              workload.app.volumes.map((one) => one.name),
            )
          : new Map<string, string>()
      const { uid, gid } = workload.app
      if (kind === 'docker') for (const volume of folders.values()) chownSync(volume, uid, gid)
      try {
        slots.add(workload.slot)
        await firewall.apply([...slots])
        const existing = await inspect(workload.orderId)
        if (existing && workloadState(existing).deploymentId === workload.deploymentId) return
        if (existing) await removeContainer(workload.orderId)
        await ensureNetwork(docker, instance, workload.orderId, workload.slot, block)
        await docker.createContainer(
          containerOptions(workload, { kind, instance, imageId, seccomp, volumeFolders: folders, maxOpenFiles }),
        )
      } catch (error) {
        throw engineError(error)
      }
    },

    async start(orderId) {
      if (wall.isShut() || !(await firewall.intact()))
        throw new AppError('isolation_unavailable', 'the firewall of the tenants is not in place', { retryable: true })
      const existing = await inspect(orderId)
      if (!existing) throw new AppError('start_failed', 'the container is gone', { retryable: true })
      if (existing.State.Running) return
      try {
        await container(orderId).start()
      } catch (error) {
        throw engineError(error)
      }
    },

    async probe(orderId, probe) {
      if (wall.isShut()) throw new AppError('isolation_unavailable', 'the networks of the tenants are shut', { retryable: true })
      const one = await inspect(orderId)
      if (!one?.State.Running) return false
      if (probe.kind === 'exec') return (await execIn(container(orderId), probe.command, 10_000)).code === 0
      const { upstream } = workloadState(one)
      return upstream !== undefined && probeAddress(upstream.address, probe)
    },

    async stop(orderId) {
      await hangUp(orderId)
      try {
        await container(orderId).stop({ t: 5 })
      } catch (error) {
        if (!isMissing(error) && !isUnchanged(error)) throw engineError(error)
      }
    },

    async remove(orderId, { wipe }) {
      const one = await inspect(orderId)
      await removeContainer(orderId)
      try {
        await docker.getNetwork(workloadName(instance, orderId)).remove()
      } catch (error) {
        if (!isMissing(error)) throw engineError(error)
      }
      if (one) slots.delete(workloadState(one).slot)
      if (wipe) await disks.wipe(orderId)
      else await disks.unmount(orderId)
    },

    async find(orderId) {
      const one = await inspect(orderId)
      return one && workloadState(one)
    },

    list,
    ordersWithData: async () => disks.list(),

    async logs(orderId, lines) {
      try {
        const output = (await container(orderId).logs({
          stdout: true,
          stderr: true,
          tail: lines,
          follow: false,
        })) as unknown as Buffer
        return withoutFrames(output)
      } catch (error) {
        if (isMissing(error)) return ''
        throw engineError(error)
      }
    },

    terminal: (orderId, command, size) => openTerminal(patient.getContainer(workloadName(instance, orderId)), command, size),

    async close({ stopWorkloads }) {
      closed = true
      await keepEngine().catch(() => {})
      if (stopWorkloads) {
        for (const state of await list()) {
          if (state.running)
            await container(state.orderId)
              .stop({ t: 2 })
              .catch(() => {})
          await disks.unmount(state.orderId).catch(() => {})
        }
        await firewall.remove()
      }
      await service?.stop()
      // podman leaves its storage mounted on itself, which would keep the folder from ever being removed.
      if (stopWorkloads && kind === 'podman') await runCommand('umount', ['-l', join(paths.data, 'storage', 'overlay')])
    },
  }
}

/** Logs come in frames of 8 bytes header and a payload. */
function withoutFrames(output: Buffer): string {
  let text = ''
  for (let at = 0; at + 8 <= output.length; ) {
    const length = output.readUInt32BE(at + 4)
    text += output.toString('utf8', at + 8, at + 8 + length)
    at += 8 + length
  }
  return text
}

async function hardLimitOfOpenFiles(): Promise<number> {
  const { stdout } = await runCommand('sh', ['-c', 'ulimit -Hn'])
  return Number(stdout.trim()) || 1_048_576
}
