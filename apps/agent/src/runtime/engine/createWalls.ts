import { existsSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Log } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import type { createContainers } from './createContainers.ts'
import { createTenantWall } from './createTenantWall.ts'
import { applyTenantRules, type Firewall } from './firewall.ts'
import { type PodmanPaths, podmanArguments, podmanEnvironment } from './podmanService.ts'
import { subnetOf } from './subnets.ts'

/** To write the rules of all containers again. */
const RELOAD_MS = 120_000

interface WallsOptions {
  kind: 'podman' | 'docker'
  instance: string
  /** The addresses of this agent's tenants. */
  block: string
  paths: PodmanPaths
  firewall: Firewall
  /** Those in use; shared with whoever creates and removes containers. */
  slots: Set<number>
  containers: ReturnType<typeof createContainers>
  resolvers: () => readonly string[]
  log: Log
}

/** The walls around what runs: the host's tables, the engine's own rules, and a second filter inside of each tenant's namespace. */
export function createWalls({ kind, instance, block, paths, firewall, slots, containers, resolvers, log }: WallsOptions) {
  const reloadEngineRules = async () => {
    // After a start of the machine there are none to miss.
    if ((await containers.running()).length === 0) return
    if (kind === 'docker')
      return log.error('the rules of Docker were removed with those of the tenants; restart Docker to get them back')
    log.warn('the rules of the container engine were removed with those of the tenants; making them again')
    const { code, stderr } = await runCommand('podman', [...podmanArguments(paths), 'network', 'reload', '--all'], {
      env: podmanEnvironment(paths),
      timeoutMs: RELOAD_MS,
    })
    if (code !== 0)
      throw new AppError('engine_unavailable', 'the networks of the applications cannot be made again', {
        ...{ cause: stderr.slice(-300), retryable: true },
      })
  }
  const wall = createTenantWall({
    ...{ instance, firewall, slots, reloadEngineRules, log },
    runningSlots: async () => (await containers.running()).map(({ slot }) => slot),
    async stop(some) {
      for (const { orderId, slot } of await containers.running()) if (some.includes(slot)) await containers.stop(orderId, 2)
    },
  })
  return {
    wall,
    /** Puts the second wall up around what runs, as it would be started now. */
    async applyOwnWalls(): Promise<void> {
      for (const { orderId, slot } of await containers.running()) {
        const pid = (await containers.inspect(orderId))?.State.Pid ?? 0
        if (pid === 0) continue
        await applyTenantRules(pid, subnetOf(block, slot).gateway, resolvers()).catch((error: unknown) => {
          // It may have ended meanwhile.
          if (existsSync(`/proc/${pid}`)) throw error
        })
      }
    },
  }
}
