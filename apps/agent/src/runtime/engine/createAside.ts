import { join } from 'node:path'
import type { Runtime } from '../Runtime.ts'
import { dropDataAside, setDataAside, takeDataBack } from './asideData.ts'
import type { Engine } from './openEngine.ts'
import { workloadState } from './workloadState.ts'

/** What ran before an update and takes its place again if that fails: a container under another name, and what it wrote. */
export function createAside({
  kind,
  containers,
  disks,
}: Pick<Engine, 'kind' | 'containers' | 'disks'>): Pick<Runtime, 'setAside' | 'takeBack' | 'dropAside' | 'aside'> {
  const diskOf = (orderId: bigint) => join(disks.home(orderId), 'mnt')
  const takeBack = async (orderId: bigint): Promise<void> => {
    if (!(await containers.aside.inspect(orderId))) return
    await containers.aside.clear(orderId)
    if (await disks.open(orderId)) await takeDataBack(diskOf(orderId))
    await containers.aside.takeBack(orderId)
  }
  return {
    async setAside(orderId, options) {
      // One that came after another, and failed, is not what to go back to.
      await takeBack(orderId)
      // Nothing of this was tried with Docker.
      if (kind === 'docker' || !(await containers.inspect(orderId))) return false
      for (const service of containers.servicesOf(orderId)) await containers.stop(orderId, 5, service)
      if (await disks.open(orderId)) setDataAside(diskOf(orderId), options)
      await containers.aside.set(orderId)
      return true
    },
    takeBack,
    async dropAside(orderId) {
      await containers.aside.remove(orderId)
      await dropDataAside(diskOf(orderId))
    },
    async aside(orderId) {
      const one = await containers.aside.inspect(orderId)
      return one && workloadState(one).deploymentId
    },
  }
}
