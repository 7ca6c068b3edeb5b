import { setTimeout as sleep } from 'node:timers/promises'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { createReporter } from './createReporter.ts'
import type { MonitorOptions } from './MonitorOptions.ts'
import { acknowledge, mayConnect, type ProbeContext, type Probed, probeProvider } from './probeProvider.ts'
import { createFleetReader, type FleetProvider } from './readFleet.ts'
import { standsApart } from './standsApart.ts'

/** Providers probed concurrently. */
const MAX_AT_ONCE = 32
/** How often a provider that is busy is asked again within an epoch. */
const BUSY_ROUNDS = 12

type Nodes = FleetProvider['nodes']

/** Anybody may list machines that are never there, for the gas of it: only what is sold is anybody's loss. */
const isSold = ({ orderId }: Nodes[number]) => orderId !== 0n

export type Monitor = ReturnType<typeof createMonitor>

/**
 * A monitor of a market whose validator is the contract `Monitors`. Both of its steps are idempotent, so that a restart or an unreachable
 * chain only delays them.
 */
export function createMonitor(options: MonitorOptions) {
  const { account, signer, client, addresses, chainId, monitors, calendar, schedule, metrics, now, log } = options
  const report = createReporter(options)
  const readFleetOf = options.fleet ?? createFleetReader(client, addresses)
  const store = createStore(options)

  /** Probes some nodes of a provider, and returns those that could not be asked because it is busy. */
  const probe = async (provider: FleetProvider, nodes: Nodes, context: ProbeContext) => {
    const seen = await probeProvider(provider, nodes, context)
    const stored = store(seen.filter(({ isBusy }) => !isBusy))
    const up = stored.filter(({ isUp }) => isUp)
    await acknowledge(provider, up, context)
    return seen.filter(({ isBusy }) => isBusy)
  }

  /** Probes providers until each of them has answered or failed, and returns what was busy whenever it was asked. */
  const probeAll = async (fleet: readonly FleetProvider[], context: ProbeContext) => {
    let waiting: { provider: FleetProvider; nodes: Nodes; busy: readonly Probed[] }[] = []
    waiting = fleet.map((provider) => ({ provider, nodes: provider.nodes.filter(isSold), busy: [] }))
    for (let round = 0; round <= BUSY_ROUNDS && waiting.length > 0; round += 1) {
      // At no foreseeable moment: nobody can keep a provider busy just then.
      if (round > 0) await sleep(schedule.retryMs * (0.5 + Math.random()))
      if (calendar.epochAt(now()) !== context.epoch && round > 0) break
      const again: typeof waiting = []
      const worker = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) {
          const { provider, nodes } = one
          try {
            const busy = await probe(provider, nodes, context)
            const isBusy = ({ id }: Nodes[number]) => busy.some(({ nodeId }) => nodeId === id)
            if (busy.length > 0) again.push({ provider, busy, nodes: provider.nodes.filter(isBusy) })
          } catch (error) {
            log.warn({ provider: provider.address, reason: String(error) }, 'a provider cannot be observed')
          }
        }
      }
      await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
      waiting = again
    }
    return waiting
  }

  /** The providers that were busy throughout an epoch. */
  let busyBefore = { epoch: -1, providers: new Set<LowerCaseAddress>() }
  /**
   * Others may keep a provider busy for a while, so one that was busy throughout an epoch is not reported for it. If it was so in the epoch
   * before as well, it is down: a proxy that says "busy" for a machine that is gone would hide any outage.
   */
  const settle = (left: Awaited<ReturnType<typeof probeAll>>, epoch: number): void => {
    const before = busyBefore.epoch === epoch - 1 ? busyBefore.providers : new Set()
    busyBefore = { epoch, providers: new Set(left.map(({ provider }) => provider.address)) }
    for (const { provider, busy } of left)
      if (before.has(provider.address)) store(busy)
      else {
        metrics.observations.inc({ result: 'busy' }, busy.length)
        log.info({ provider: provider.address, nodes: busy.length, epoch }, 'a provider is busy')
      }
  }

  const startedIn = calendar.epochAt(now())
  let observedEpoch = -1
  return {
    address: account.address,
    /**
     * Probes every sold node once per epoch, from the first epoch that begins while it runs: after a kill, agents need not answer a second
     * time in an epoch. Also those that it is not drawn for: a lie of those who are is contested, and what they keep silent about is found,
     * by all others. A probe that spans two epochs counts for the first.
     */
    async observe(): Promise<void> {
      const epoch = calendar.epochAt(now())
      if (epoch === observedEpoch) return
      observedEpoch = epoch
      metrics.epoch.set(epoch)
      const [{ hash: beacon }, fleet, ips] = await Promise.all([client.getBlock(), readFleetOf(epoch), options.ownIps?.() ?? []])
      const place = { account: lowerCaseAddress(account.address), ips }
      const apart = fleet.filter((one) => standsApart(one, place))
      metrics.silent.set(fleet.length - apart.length)
      const market = lowerCaseAddress(addresses.market)
      const alsoAt = (one: FleetProvider) => addressesApart(one, place, options)
      const context = { account, signer, chainId, monitors, market, epoch, beacon, schedule, alsoAt }
      if (epoch !== startedIn) settle(await probeAll(apart, context), epoch)
      options.observations.forgetBefore(epoch)
    },
    /** Sends what is due for past periods: commitment, root, findings, credit. */
    report,
  }
}

/** The addresses of a provider's name. What stands beside this monitor may be its owner's, by whichever name. */
async function addressesApart(
  provider: FleetProvider,
  place: Parameters<typeof standsApart>[1],
  { addressesOf, chainId }: MonitorOptions,
): Promise<string[]> {
  const found = (await addressesOf?.(provider.domain)) ?? []
  return found
    .map((ip) => ({ ...provider, ip }))
    .flatMap((at) => (mayConnect(at, chainId) && standsApart(at, place) ? at.ip : []))
}

/** Stores what was seen, durably when it returns, and returns what of it will be reported. */
function createStore({ observations, metrics, log }: MonitorOptions) {
  return (seen: readonly Probed[]): Probed[] => {
    const stored: Probed[] = []
    observations.atOnce(() => {
      for (const one of seen) {
        if (!observations.put(one)) continue
        stored.push(one)
        if (one.promise) observations.putPromise(one.promise, one.epoch)
      }
    })
    for (const { isUp, provider, nodeId, orderId, epoch } of stored) {
      metrics.observations.inc({ result: isUp ? 'up' : 'down' })
      if (!isUp) log.info({ provider, nodeId: String(nodeId), orderId: String(orderId), epoch }, 'a node does not answer')
    }
    return stored
  }
}
