import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Runtime } from '../Runtime.ts'
import { createAside } from './createAside.ts'
import { createInside } from './createInside.ts'
import { createLifecycle } from './createLifecycle.ts'
import { createMaker } from './createMaker.ts'
import type { Firewall } from './firewall.ts'
import { whyNoGvisor } from './gvisor.ts'
import type { ImageStore } from './imageStore.ts'
import { type Engine, type EngineOptions, openEngine } from './openEngine.ts'
import { removeBridges } from './orderBridge.ts'
import { passNoTenants } from './passTenants.ts'
import { endProcView } from './procView.ts'
import { unmountBelow } from './removeEngine.ts'
import { workloadState } from './workloadState.ts'

export interface EngineRuntime extends Runtime {
  images: ImageStore
  firewall: Firewall
}

/**
 * Runs orders with podman, or with Docker through its socket. Only podman was run by this project; what Docker wants otherwise
 * (inline seccomp profile, device requests, volumes owned by the container's user, no user namespace per container) follows its documentation.
 */
export async function createEngineRuntime(options: EngineOptions): Promise<EngineRuntime> {
  const engine = await openEngine(options)
  const { kind, instance, paths, patient, containers, disks, outputs, images, firewall, inside } = engine
  const gvisor = kind === 'podman' ? await whyNoGvisor(paths.data) : 'this provider runs Docker'
  return {
    kind,
    // The engine puts it into every container.
    idleCommand: ['/run/podman-init', '-P'],
    whyNoGvisor: gvisor,
    sharesPorts: false,
    whyNoServices: kind === 'docker' ? 'this provider runs Docker' : undefined,
    images,
    firewall,
    ...createUpkeep(engine),
    ...createImages(engine),
    ...createMaker(engine, gvisor),
    ...createLifecycle(engine),
    ...createAside(engine),
    ...createInside({ kind, instance, ...inside, patient, containers, disks, outputs }),
    list: containers.list,
    ordersWithData: async () => [...new Set([...disks.list(), ...engine.own.ordersWithPulls()])],
  }
}

function createImages({ kind, images, own }: Engine): Pick<Runtime, 'hasImage' | 'ensureImage' | 'ensureOwnImage'> {
  return {
    hasImage: async (app) => (await images.find(app)) !== undefined,
    ensureImage: async (app, onProgress, known) =>
      known !== undefined && (await images.present(known)) ? known : images.ensure(app, onProgress),
    async ensureOwnImage(app, known, options) {
      if (kind === 'docker')
        throw new AppError('own_images_refused', 'this provider runs Docker, which gives an order no user ids of its own')
      return own.ensure(app, known, options)
    },
  }
}

/** What keeps the engine and its walls, and what ends them. */
function createUpkeep(engine: Engine): Pick<Runtime, 'check' | 'close'> {
  const { kind, instance, paths, service, containers, wall, firewall, procView, resolvers, outputs, disks, own } = engine
  /** Of those that see this machine's /proc where lxcfs shows no other. */
  const runningPids = async () => {
    const seeing = (await containers.inspectAll()).filter((one) => !workloadState(one).sandboxed)
    return seeing.map(({ State }) => State.Pid).filter((pid) => pid > 0)
  }
  return {
    async check() {
      if (service.isClosed()) return
      // Side by side: an engine that hangs must not keep the wall from being looked after.
      const failed = (await Promise.allSettled([wall.keep(), service.keep()])).find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      await procView.keep(runningPids)
      await resolvers.keep()
    },

    async close({ stopWorkloads }) {
      service.close()
      outputs.close()
      // One that is being started again is waited for.
      await service.keep().catch(() => {})
      if (stopWorkloads) {
        for (const state of await containers.list()) {
          if (state.running) await containers.stop(state.orderId, 2, state.service).catch(() => {})
        }
        for (const state of await containers.list()) {
          await disks.unmount(state.orderId).catch(() => {})
        }
        await firewall.remove()
        await passNoTenants(instance)
        if (kind === 'podman') await removeBridges(instance)
      }
      await own.close()
      await service.stop()
      if (stopWorkloads) await endProcView(paths.run)
      // podman leaves its storage mounted on itself, and some memory of containers: the folder could not be removed.
      if (stopWorkloads && kind === 'podman') unmountBelow(join(paths.data, 'storage'))
    },
  }
}
