import { accessAbi, monitorsAbi } from '@rackfair/contracts'
import { AppError, epochAt, periodOf } from '@rackfair/core'
import { type Address, isAddressEqual } from 'viem'
import { createReporter } from './createReporter.ts'
import type { MonitorOptions } from './MonitorOptions.ts'
import { probeProvider } from './probeProvider.ts'
import { type FleetProvider, readFleet } from './readFleet.ts'

/** Providers that are asked at the same time. */
const MAX_AT_ONCE = 32

export type Monitor = Awaited<ReturnType<typeof createMonitor>>

/**
 * A monitor of the market whose validator is the contract `Monitors`. Both of its steps may be repeated at any time, so that a restart or a chain
 * that was away only delays them.
 * @throws AppError `not_deployed_on_chain` where the validator is a key.
 */
export async function createMonitor(options: MonitorOptions) {
  const { account, client, addresses, chainId, observations, now, log } = options
  const monitors = await client.readContract({ address: addresses.access, abi: accessAbi, functionName: 'validator' })
  const code = await client.getCode({ address: monitors })
  if (code === undefined || code === '0x')
    throw new AppError('not_deployed_on_chain', 'the validator of this market is no contract of monitors')
  const report = createReporter({ ...options, monitors })

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

  const observe = async (provider: FleetProvider, epoch: number, beacon: `0x${string}`): Promise<void> => {
    const nodes: FleetProvider['nodes'] = []
    for (const node of provider.nodes) if (await isAssigned(provider.address, node.id, periodOf(epoch))) nodes.push(node)
    if (nodes.length === 0) return
    const context = { account, chainId, monitors, market: addresses.market, epoch, beacon, retryMs: options.retryMs }
    const seen = await probeProvider(provider, nodes, context)
    for (const one of seen) observations.put(one)
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
    monitors,
    /** Probes every node that it is drawn for, once in each epoch. What began in one epoch and ends in the next counts for the first. */
    async observe(): Promise<void> {
      const epoch = epochAt(now())
      if (epoch === observedEpoch) return
      observedEpoch = epoch
      const [{ hash: beacon }, fleet] = await Promise.all([client.getBlock(), readFleet(client, addresses)])
      const waiting = [...fleet]
      const worker = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift())
          await observe(one, epoch, beacon).catch((error: unknown) =>
            log.warn({ provider: one?.address, reason: String(error) }, 'a provider cannot be observed'),
          )
      }
      await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
      observations.forgetBefore(epoch)
    },
    /** Sends what is due for the periods that are over: commitment, root, findings, credit. */
    report,
  }
}
