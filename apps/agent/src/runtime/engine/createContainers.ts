import type Docker from 'dockerode'
import type { WorkloadState } from '../Runtime.ts'
import { endExecs } from './endExecs.ts'
import { engineError, isMissing, isUnchanged } from './engineError.ts'
import { asideName, isAsideName, isNextName, LABEL, nextName, workloadName } from './names.ts'
import { workloadState } from './workloadState.ts'

/** Attempts to stop a container that keeps running. */
const MAX_STOPS = 3

/** The containers of one agent, by their orders; apart from those that were set aside, and those that are to take their places. */
export function createContainers(docker: Docker, kind: 'podman' | 'docker', instance: string) {
  const get = (orderId: bigint, service?: string) => docker.getContainer(workloadName(instance, orderId, service))
  const inspect = (orderId: bigint, service?: string) => look(get(orderId, service))
  /** The services of an order that have a container, or none yet, the main one last. */
  const besides = new Map<bigint, Set<string>>()
  const servicesOf = (orderId: bigint): (string | undefined)[] => [...(besides.get(orderId) ?? []), undefined]
  const inspectAll = async () => {
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
      return details.flatMap((one) => (one && !isAsideName(one.Name) && !isNextName(one.Name) ? [one] : []))
    } catch (error) {
      throw engineError(error)
    }
  }
  const list = async (): Promise<WorkloadState[]> => {
    const all = (await inspectAll()).map(workloadState)
    for (const { orderId, service } of all) know(orderId, service)
    return all
  }
  const know = (orderId: bigint, service: string | undefined): void => {
    if (service !== undefined) besides.set(orderId, (besides.get(orderId) ?? new Set()).add(service))
  }
  /** Ends the commands that run in it and would hold it. */
  const endCommands = async (orderId: bigint, service: string | undefined) => {
    const one = kind === 'podman' ? await inspect(orderId, service) : undefined
    if (one) endExecs(one.Id)
  }
  const remove = async (orderId: bigint, service: string | undefined): Promise<void> => {
    await endCommands(orderId, service)
    await removeContainer(get(orderId, service))
    forget(orderId, service)
  }
  const forget = (orderId: bigint, service: string | undefined): void => {
    if (service !== undefined) besides.get(orderId)?.delete(service)
  }

  return {
    get,
    inspect,
    inspectAll,
    list,
    know,
    servicesOf,
    running: async () => (await list()).filter((one) => one.running),

    async stop(orderId: bigint, seconds: number, service?: string): Promise<void> {
      await endCommands(orderId, service)
      for (let attempt = 0; ; attempt += 1) {
        try {
          await get(orderId, service).stop({ t: seconds })
          return
        } catch (error) {
          if (isMissing(error) || isUnchanged(error)) return
          // The engine waits in vain for word of a command that was ended before, and fails when the container has stopped.
          const there = await inspect(orderId, service)
          if (!there?.State.Running) return
          if (attempt + 1 >= MAX_STOPS) throw engineError(error)
        }
      }
    },

    remove,
    async removeAll(orderId: bigint): Promise<void> {
      for (const service of servicesOf(orderId)) await remove(orderId, service)
      besides.delete(orderId)
    },

    aside: createSetAside(docker, instance, { inspect, remove, servicesOf, know, forget }),
    next: createNext(docker, instance),

    /** What was written since `startedAt`, in Unix milliseconds. */
    logs: (orderId: bigint, lines: number, startedAt: number) => logsOf(get(orderId), lines, startedAt),
  }
}

interface Current {
  inspect: (orderId: bigint, service?: string) => Promise<Docker.ContainerInspectInfo | undefined>
  remove: (orderId: bigint, service: string | undefined) => Promise<void>
  servicesOf: (orderId: bigint) => readonly (string | undefined)[]
  know: (orderId: bigint, service: string | undefined) => void
  forget: (orderId: bigint, service: string | undefined) => void
}

/** The containers that have ended and are kept beside their order's next. */
function createSetAside(docker: Docker, instance: string, current: Current) {
  const get = (orderId: bigint, service?: string) => docker.getContainer(asideName(instance, orderId, service))
  /** The main one last: until it has moved, the rest can be done again. */
  const asideOf = async (orderId: bigint): Promise<{ service: string | undefined; deploymentId: string }[]> => {
    const label = [`${LABEL.instance}=${instance}`, `${LABEL.order}=${orderId}`]
    const all = await docker.listContainers({ all: true, filters: { label } })
    return all
      .filter(({ Names }) => Names.some(isAsideName))
      .map(({ Labels }) => ({ service: Labels[LABEL.service], deploymentId: Labels[LABEL.deployment] ?? '' }))
      .sort((a, b) => Number(a.service === undefined) - Number(b.service === undefined))
  }
  return {
    inspect: (orderId: bigint) => look(get(orderId)),
    async set(orderId: bigint): Promise<void> {
      for (const service of current.servicesOf(orderId)) {
        const there = await current.inspect(orderId, service)
        if (there) await docker.getContainer(there.Id).rename({ name: asideName(instance, orderId, service) })
        current.forget(orderId, service)
      }
    },
    /** Removes those that came after them. */
    async clear(orderId: bigint): Promise<void> {
      const deployments = new Set((await asideOf(orderId)).map(({ deploymentId }) => deploymentId))
      for (const service of current.servicesOf(orderId)) {
        const there = await current.inspect(orderId, service)
        if (there && !deployments.has(workloadState(there).deploymentId)) await current.remove(orderId, service)
      }
    },
    async takeBack(orderId: bigint): Promise<void> {
      for (const { service } of await asideOf(orderId)) {
        current.know(orderId, service)
        await get(orderId, service).rename({ name: workloadName(instance, orderId, service) })
      }
    },
    async remove(orderId: bigint): Promise<void> {
      for (const { service } of await asideOf(orderId)) await removeContainer(get(orderId, service))
    },
  }
}

/** The containers that were made while others of their order run, and wait to take their places. */
function createNext(docker: Docker, instance: string) {
  const get = (orderId: bigint, service?: string) => docker.getContainer(nextName(instance, orderId, service))
  const list = async (orderId: bigint) => {
    const label = [`${LABEL.instance}=${instance}`, `${LABEL.order}=${orderId}`]
    return (await docker.listContainers({ all: true, filters: { label } })).filter(({ Names }) => Names.some(isNextName))
  }
  return {
    inspect: (orderId: bigint, service?: string) => look(get(orderId, service)),
    take: async (orderId: bigint, service?: string): Promise<void> =>
      void (await get(orderId, service).rename({ name: workloadName(instance, orderId, service) })),
    deployments: async (orderId: bigint): Promise<string[]> =>
      (await list(orderId)).map(({ Labels }) => Labels[LABEL.deployment] ?? ''),
    async remove(orderId: bigint): Promise<void> {
      for (const { Id } of await list(orderId)) await removeContainer(docker.getContainer(Id))
    },
  }
}

/** Undefined if it is not there. */
async function look(container: Docker.Container): Promise<Docker.ContainerInspectInfo | undefined> {
  try {
    return await container.inspect()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw engineError(error)
  }
}

async function logsOf(container: Docker.Container, lines: number, startedAt: number): Promise<string> {
  try {
    const since = startedAt / 1000
    const options = { stdout: true, stderr: true, tail: lines, since, follow: false as const }
    return withoutFrames(await container.logs(options))
  } catch (error) {
    if (isMissing(error)) return ''
    throw engineError(error)
  }
}

async function removeContainer(container: Docker.Container): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return void (await container.remove({ force: true, v: true }))
    } catch (error) {
      if (isMissing(error)) return
      // The engine unmounts behind the answer; a busy filesystem is free a moment later.
      if (attempt >= 20) throw engineError(error)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
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
