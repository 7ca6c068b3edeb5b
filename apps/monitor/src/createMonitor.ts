import { randomInt } from 'node:crypto'
import { monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/core'
import { type Address, isAddressEqual } from 'viem'
import { createReporter } from './createReporter.ts'
import type { MonitorOptions } from './MonitorOptions.ts'
import { probeProvider } from './probeProvider.ts'
import { createFleetReader, type FleetProvider } from './readFleet.ts'
import { standsApart } from './standsApart.ts'

/** Providers probed concurrently. */
const MAX_AT_ONCE = 32
/**
 * A node that it is not drawn for is observed in one of this many epochs, unpredictably: a monitor that lies about it risks being
 * contested.
 */
const AUDITED_ONE_IN = 4

export type Monitor = ReturnType<typeof createMonitor>

/**
 * A monitor of a market whose validator is the contract `Monitors`. Both of its steps are idempotent, so that a restart or an unreachable
 * chain only delays them.
 */
export function createMonitor(options: MonitorOptions) {
  const { account, client, addresses, chainId, observations, monitors, calendar, schedule, metrics, now, log } = options
  const report = createReporter(options)
  const readFleetOf = options.fleet ?? createFleetReader(client, addresses)

  let drawnFor = -1
  const drawn = new Map<string, boolean>()
  const isAssigned = async (provider: Address, nodeId: bigint, period: number): Promise<boolean> => {
    if (drawnFor !== period) drawn.clear()
    drawnFor = period
    const key = `${provider} ${nodeId}`
    const known = drawn.get(key)
    if (known !== undefined) return known
    const accounts = await client.readContract({
      ...{ address: monitors, abi: monitorsAbi, functionName: 'assigned' },
      args: [provider, nodeId, BigInt(period)],
    })
    const mine = accounts.some((one) => isAddressEqual(one, account.address))
    drawn.set(key, mine)
    return mine
  }

  const isAudited = () => randomInt(AUDITED_ONE_IN) === 0
  const observe = async (provider: FleetProvider, epoch: number, beacon: `0x${string}`): Promise<void> => {
    const nodes: FleetProvider['nodes'] = []
    for (const node of provider.nodes)
      if ((await isAssigned(provider.address, node.id, calendar.periodOf(epoch))) || isAudited()) nodes.push(node)
    if (nodes.length === 0) return
    const context = { account, chainId, monitors, market: lowerCaseAddress(addresses.market), epoch, beacon, schedule }
    const seen = await probeProvider(provider, nodes, context)
    observations.atOnce(() => {
      for (const one of seen) {
        observations.put(one)
        if (one.promise) observations.putPromise(one.promise, epoch)
      }
    })
    for (const { isUp } of seen) metrics.observations.inc({ result: isUp ? 'up' : 'down' })
    for (const { nodeId, orderId, isUp } of seen)
      if (!isUp)
        log.info(
          { provider: provider.address, nodeId: String(nodeId), orderId: String(orderId), epoch },
          'a node does not answer',
        )
  }

  let observedEpoch = -1
  return {
    address: account.address,
    /** Probes every node that it is drawn for and some others, once per epoch. A probe that spans two epochs counts for the first. */
    async observe(): Promise<void> {
      const epoch = calendar.epochAt(now())
      if (epoch === observedEpoch) return
      observedEpoch = epoch
      metrics.epoch.set(epoch)
      const [{ hash: beacon }, fleet, ips] = await Promise.all([client.getBlock(), readFleetOf(epoch), options.ownIps?.() ?? []])
      const place = { account: lowerCaseAddress(account.address), ips }
      const waiting = fleet.filter((one) => standsApart(one, place))
      metrics.silent.set(fleet.length - waiting.length)
      const worker = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift())
          await observe(one, epoch, beacon).catch((error: unknown) =>
            log.warn({ provider: one?.address, reason: String(error) }, 'a provider cannot be observed'),
          )
      }
      await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
      observations.forgetBefore(epoch)
    },
    /** Sends what is due for past periods: commitment, root, findings, credit. */
    report,
  }
}
