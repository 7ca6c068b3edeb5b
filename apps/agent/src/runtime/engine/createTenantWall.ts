import { readdirSync } from 'node:fs'
import { AppError } from '@rackfair/core'
import type { Log } from '../../log.ts'
import { runCommand } from '../runCommand.ts'
import type { Firewall } from './firewall.ts'
import { bridgePrefix } from './names.ts'
import { singleFlight } from './singleFlight.ts'

const INTERFACES = '/sys/class/net'

/**
 * Keeps the firewall around the tenants standing. While it cannot stand, the tenants are cut off from everything, or, where that
 * fails, stopped: none of them runs with an open door. Who takes the whole table away, as a restart of nftables does, takes the engine's
 * own rules with it, without which no tenant reaches the internet: those are made again too.
 */
export function createTenantWall(options: {
  instance: string
  firewall: Firewall
  slots: ReadonlySet<number>
  stopAll: () => Promise<void>
  /** Makes the engine write its own rules again. */
  reloadEngineRules: () => Promise<void>
  log: Log
}) {
  const { instance, firewall, slots, log } = options
  let shut = false
  let engineRulesLost = false

  const shutTenants = async () => {
    if (!shut) log.error('the firewall of the tenants cannot be restored; their networks are shut until it can')
    shut = true
    await setTenantNetworks(instance, 'down').catch(async (error: unknown) => {
      log.error('a network of a tenant cannot be shut; the applications are stopped', { reason: String(error) })
      await options.stopAll()
    })
  }
  /** Applies the firewall and connects the tenants. Throws `isolation_unavailable`, with the tenants shut. */
  const raise = async () => {
    if (slots.size > 0 && !(await firewall.exists())) engineRulesLost = true
    try {
      await firewall.apply([...slots])
    } catch (error) {
      await shutTenants()
      throw error
    }
    await setTenantNetworks(instance, 'up')
    shut = false
  }

  return {
    raise,
    keep: singleFlight(async () => {
      const intact = await firewall.intact()
      if (intact && !shut) return
      if (!intact) log.warn('the firewall of the tenants is missing or was changed; restoring it')
      await raise()
    }),
    /** Apart from `keep`: an engine that takes its time must not keep the wall from being looked after. */
    keepEngineRules: singleFlight(async () => {
      if (!engineRulesLost || shut) return
      engineRulesLost = false
      await options.reloadEngineRules().catch((error: unknown) => {
        engineRulesLost = true
        throw error
      })
    }),
    isShut: () => shut,
  }
}

/**
 * Connects the containers of one agent to their bridges, or cuts them off: then no tenant reaches anybody and nobody reaches a tenant,
 * whatever the firewall says or cannot say, and the applications themselves go on. The bridges stay: without them this machine would
 * look for a tenant outside.
 */
async function setTenantNetworks(instance: string, direction: 'up' | 'down'): Promise<void> {
  const bridges = readdirSync(INTERFACES).filter((name) => name.startsWith(bridgePrefix(instance)))
  for (const port of bridges.flatMap((bridge) => readdirSync(`${INTERFACES}/${bridge}/brif`))) {
    const { code, stderr } = await runCommand('ip', ['link', 'set', port, direction], { timeoutMs: 10_000 })
    // Without the program nothing was ever cut off by it; then the tenants are stopped instead.
    if (code === 127 && direction === 'up') return
    if (code !== 0 && readdirSync(INTERFACES).includes(port))
      throw new AppError('isolation_unavailable', `ip link set ${port} ${direction}: ${stderr.trim().slice(0, 300)}`, {
        retryable: true,
      })
  }
}
