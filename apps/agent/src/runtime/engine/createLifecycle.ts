import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { LogPosition } from '../output/LogSource.ts'
import { lastLines } from '../output/lastLines.ts'
import type { Runtime } from '../Runtime.ts'
import { engineError } from './engineError.ts'
import { execIn } from './execIn.ts'
import { bridgeName, LABEL, linkName, workloadName } from './names.ts'
import type { Engine } from './openEngine.ts'
import { forgetOrderLimits } from './orderCgroup.ts'
import { removeNetwork } from './orderNetwork.ts'
import { ranOutOfMemory } from './outOfMemory.ts'
import { probeAddress } from './probeAddress.ts'
import { checkInContainer } from './runInContainer.ts'
import { type ContainerWalls, startContainer } from './startContainer.ts'
import { subnetOf } from './subnets.ts'
import { firstUserId } from './userIds.ts'
import { workloadState } from './workloadState.ts'

/** What ends sooner has not started; an application without a port is not asked more. */
const STARTED_MS = 1000
/** A command that says whether an application is well, and takes longer, says no. */
const CHECK_MS = 10_000

/** The container of an order, from its start to its end. */
export function createLifecycle(
  engine: Engine,
): Pick<Runtime, 'start' | 'probe' | 'stop' | 'stopService' | 'remove' | 'find' | 'logs'> {
  const { docker, instance, slots, containers, firewall, wall, disks } = engine
  /** Where the output of an order's last start begins: all its containers write into one ring. */
  const begun = new Map<string, LogPosition>()

  return {
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
