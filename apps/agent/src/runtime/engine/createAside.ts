import { join } from 'node:path'
import type { Runtime } from '../Runtime.ts'
import { dropDataAside, setDataAside, takeDataBack } from './asideData.ts'
import type { Engine } from './openEngine.ts'
import { otherSide } from './ownRoot.ts'
import { sideOf, workloadState } from './workloadState.ts'

/** What ran before an update and takes its place again if that fails: a container under another name, and what it wrote. */
export function createAside({
  kind,
  containers,
  disks,
}: Pick<Engine, 'kind' | 'containers' | 'disks'>): Pick<Runtime, 'setAside' | 'takeBack' | 'dropAside' | 'dropNext' | 'aside'> {
  const diskOf = (orderId: bigint) => join(disks.home(orderId), 'mnt')
  const takeBack = async (orderId: bigint): Promise<void> => {
    const one = await containers.aside.inspect(orderId)
    if (!one) return
    const side = sideOf(one)
    await containers.aside.clear(orderId)
    await containers.next.remove(orderId)
    if (await disks.open(orderId)) await takeDataBack(diskOf(orderId))
    if (side) await disks.forgetSide(orderId, otherSide(side))
    await containers.aside.takeBack(orderId)
  }
  return {
    dropNext: (orderId) => dropNext({ containers, disks }, orderId),
    async setAside(orderId, { keepVolumes }) {
      // One that came after another, and failed, is not what to go back to.
      await takeBack(orderId)
      // Nothing of this was tried with Docker.
      const one = kind === 'docker' ? undefined : await containers.inspect(orderId)
      if (!one) return false
      await Promise.all(containers.servicesOf(orderId).map((service) => containers.stop(orderId, 5, service)))
      // Two of the renter's own have a side each, and the volumes together.
      if (!(keepVolumes && sideOf(one)) && (await disks.open(orderId))) setDataAside(diskOf(orderId))
      await containers.aside.set(orderId)
      return true
    },
    takeBack,
    async dropAside(orderId) {
      const one = await containers.aside.inspect(orderId)
      const [side, now] = [one, await containers.inspect(orderId)].map((its) => its && sideOf(its))
      if (side && now === otherSide(side)) await disks.forgetSide(orderId, side)
      await containers.aside.remove(orderId)
      await dropDataAside(diskOf(orderId))
    },
    async aside(orderId) {
      const one = await containers.aside.inspect(orderId)
      return one && workloadState(one).deploymentId
    },
  }
}

/** Forgets what was made to take the place of a container that stays. */
export async function dropNext({ containers, disks }: Pick<Engine, 'containers' | 'disks'>, orderId: bigint): Promise<void> {
  await containers.next.remove(orderId)
  const one = await containers.inspect(orderId)
  const side = one && sideOf(one)
  // Where one is set aside, the other side is of the one that came after it.
  if (side && !(await containers.aside.inspect(orderId))) await disks.forgetSide(orderId, otherSide(side))
}
