import type Docker from 'dockerode'
import type { WorkloadState } from '../Runtime.ts'
import { endExecs } from './endExecs.ts'
import { engineError, isMissing, isUnchanged } from './engineError.ts'
import { asideName, isAsideName, LABEL, workloadName } from './names.ts'
import { workloadState } from './workloadState.ts'

/** Attempts to stop a container that keeps running. */
const MAX_STOPS = 3

/** The containers of one agent, by their orders; apart from those that were set aside. */
export function createContainers(docker: Docker, kind: 'podman' | 'docker', instance: string) {
  const get = (orderId: bigint) => docker.getContainer(workloadName(instance, orderId))
  const getAside = (orderId: bigint) => docker.getContainer(asideName(instance, orderId))
  const inspect = (orderId: bigint) => look(get(orderId))
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
      return details.flatMap((one) => (one && !isAsideName(one.Name) ? [one] : []))
    } catch (error) {
      throw engineError(error)
    }
  }
  const list = async (): Promise<WorkloadState[]> => (await inspectAll()).map(workloadState)
  /** Ends the commands that run in it and would hold it. */
  const endCommands = async (orderId: bigint) => {
    const one = kind === 'podman' ? await inspect(orderId) : undefined
    if (one) endExecs(one.Id)
  }

  return {
    get,
    inspect,
    inspectAll,
    list,
    running: async () => (await list()).filter((one) => one.running),

    async stop(orderId: bigint, seconds: number): Promise<void> {
      await endCommands(orderId)
      for (let attempt = 0; ; attempt += 1) {
        try {
          await get(orderId).stop({ t: seconds })
          return
        } catch (error) {
          if (isMissing(error) || isUnchanged(error)) return
          // The engine waits in vain for word of a command that was ended before, and fails when the container has stopped.
          const there = await inspect(orderId)
          if (!there?.State.Running) return
          if (attempt + 1 >= MAX_STOPS) throw engineError(error)
        }
      }
    },

    async remove(orderId: bigint): Promise<void> {
      await endCommands(orderId)
      await removeContainer(get(orderId))
    },

    /** One that has ended, kept beside its order's next. */
    aside: {
      inspect: (orderId: bigint) => look(getAside(orderId)),
      set: (orderId: bigint) => get(orderId).rename({ name: asideName(instance, orderId) }),
      takeBack: (orderId: bigint) => getAside(orderId).rename({ name: workloadName(instance, orderId) }),
      remove: (orderId: bigint) => removeContainer(getAside(orderId)),
    },

    /** What was written since `startedAt`, in Unix milliseconds. */
    async logs(orderId: bigint, lines: number, startedAt: number): Promise<string> {
      try {
        const since = startedAt / 1000
        const options = { stdout: true, stderr: true, tail: lines, since, follow: false as const }
        return withoutFrames(await get(orderId).logs(options))
      } catch (error) {
        if (isMissing(error)) return ''
        throw engineError(error)
      }
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
