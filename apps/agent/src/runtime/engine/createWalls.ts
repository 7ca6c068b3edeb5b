import { existsSync } from 'node:fs'
import type { Log } from '../../foundation/log.ts'
import type { createContainers } from './createContainers.ts'
import { createTenantWall } from './createTenantWall.ts'
import { applyTenantRules, type Firewall } from './firewall.ts'
import { passTenants } from './passTenants.ts'
import { subnetOf } from './subnets.ts'

interface WallsOptions {
  instance: string
  /** The addresses of this agent's tenants. */
  block: string
  firewall: Firewall
  /** Those in use; shared with whoever creates and removes containers. */
  slots: Set<number>
  containers: ReturnType<typeof createContainers>
  resolvers: () => readonly string[]
  log: Log
}

/** The walls around what runs: the table of this machine, and a second filter inside of each tenant's namespace. */
export function createWalls({ instance, block, firewall, slots, containers, resolvers, log }: WallsOptions) {
  const passOthers = async () => {
    const problem = await passTenants(instance)
    if (problem !== undefined) log.warn('another firewall of this machine may drop what tenants send', { cause: problem })
  }
  const wall = createTenantWall({
    ...{ instance, firewall, slots, passOthers, log },
    runningSlots: async () => (await containers.running()).map(({ slot }) => slot),
    async stop(some) {
      for (const { orderId, service, slot } of await containers.running())
        if (some.includes(slot)) await containers.stop(orderId, 2, service)
    },
  })
  return {
    wall,
    /** Puts the second wall up around what runs, as it would be started now. */
    async applyOwnWalls(): Promise<void> {
      for (const { orderId, service, slot } of await containers.running()) {
        const pid = (await containers.inspect(orderId, service))?.State.Pid ?? 0
        if (pid === 0) continue
        await applyTenantRules(pid, subnetOf(block, slot), resolvers()).catch((error: unknown) => {
          // It may have ended meanwhile.
          if (existsSync(`/proc/${pid}`)) throw error
        })
      }
    },
  }
}
