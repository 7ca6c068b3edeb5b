import { AppError } from '@rackfair/rules/errors/AppError'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { singleFlight } from '../../foundation/singleFlight.ts'
import type { Firewall } from './firewall.ts'
import { bridgeName, bridgePrefix } from './names.ts'

/**
 * Keeps the firewall around the tenants in place. While it cannot be applied, the tenants are cut off from everything, or, if that fails,
 * stopped: none of them runs unprotected. Whatever flushes the whole ruleset, such as a restart of nftables, also removes what lets tenants
 * through the other firewalls of this machine: that is restored too.
 */
export function createTenantWall(options: {
  instance: string
  firewall: Firewall
  slots: ReadonlySet<number>
  /** The slots whose containers run. */
  runningSlots: () => Promise<number[]>
  /** Resolves once none of the containers in these slots runs. */
  stop: (slots: readonly number[]) => Promise<void>
  /** Makes the other firewalls of this machine let the tenants through. */
  passOthers: () => Promise<void>
  log: Log
}) {
  const { instance, firewall, slots, log } = options
  let shut = false

  /** Stops the containers that are on no bridge that can be seen here: no firewall and no cut of this agent reaches them. */
  const stopUnseen = async () => {
    // In this order: a container started in between is in neither list, or in the second.
    const running = await options.runningSlots()
    const seen = new Set((await tenantPorts(instance)).map((port) => port.master))
    const unseen = running.filter((slot) => !seen.has(bridgeName(instance, slot)))
    if (unseen.length === 0) return
    log.error('applications run whose network this agent cannot see, as in another network namespace; they are stopped', {
      unseen,
    })
    await options.stop(unseen)
  }
  const shutTenants = async () => {
    const known = shut
    shut = true
    let answer = 'their networks are shut until it can'
    try {
      await setTenantNetworks(instance, 'down')
      if (slots.size > 0) await stopUnseen()
    } catch (error) {
      await options.stop(await options.runningSlots())
      answer = `their networks cannot be shut (${reasonOf(error)}): the applications are stopped`
    }
    if (!known) log.error(`the firewall of the tenants cannot be restored; ${answer}`)
  }
  /** Applies the firewall and connects the tenants. Throws `isolation_unavailable`, with the tenants shut. */
  const raise = async () => {
    try {
      await firewall.apply([...slots])
    } catch (error) {
      await shutTenants()
      throw error
    }
    await options.passOthers()
    await setTenantNetworks(instance, 'up')
    if (slots.size > 0) await stopUnseen()
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
    isShut: () => shut,
    /** Takes away the bridge of a slot whose container is gone, with the link on it. */
    async removeBridge(slot: number): Promise<void> {
      const bridge = bridgeName(instance, slot)
      const left = (await tenantPorts(instance)).filter(({ master }) => master === bridge)
      for (const ifname of [...left.map((port) => port.ifname), bridge]) await runCommand('ip', ['link', 'delete', ifname])
    },
  }
}

interface Link {
  ifname: string
  /** The bridge it is on. */
  master?: string
}

/**
 * The links between this agent's bridges and their containers, in the network namespace of this process: /sys/class/net shows the one
 * it was mounted in.
 */
async function tenantPorts(instance: string): Promise<Link[]> {
  const { code, stdout, stderr } = await runCommand('ip', ['-j', 'link', 'show'])
  if (code !== 0) throw unavailable(`ip link show: ${stderr}`)
  return (JSON.parse(stdout) as Link[]).filter(({ master }) => master?.startsWith(bridgePrefix(instance)))
}

/**
 * Connects the containers of one agent to their bridges, or cuts them off: then no tenant reaches anybody and nobody reaches a tenant,
 * whatever the firewall says or cannot say, and the applications themselves go on. The bridges stay: without them this machine would
 * look for a tenant outside.
 */
async function setTenantNetworks(instance: string, direction: 'up' | 'down'): Promise<void> {
  for (const { ifname } of await tenantPorts(instance)) {
    const { code, stderr } = await runCommand('ip', ['link', 'set', ifname, direction])
    if (code !== 0 && (await tenantPorts(instance)).some((port) => port.ifname === ifname))
      throw unavailable(`ip link set ${ifname} ${direction}: ${stderr}`)
  }
}

const unavailable = (message: string) => new AppError('isolation_unavailable', message.trim().slice(0, 300), { retryable: true })
