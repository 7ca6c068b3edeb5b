import { monitorsAbi } from '@rackfair/contracts'
import { type HardwareClass, hardwareClass } from '@rackfair/hardware/classes'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { isAddressEqual } from 'viem'
import type { MonitorOptions } from '../MonitorOptions.ts'
import { mayConnect } from '../probeProvider.ts'
import { createFleetReader, type FleetProvider } from '../readFleet.ts'
import { standsApart } from '../standsApart.ts'
import { beaconOf } from './beaconOf.ts'
import { createHardwareCalendar } from './hardwareCalendar.ts'
import type { HardwareResultsFile } from './openResults.ts'
import { testProvider } from './testProvider.ts'

/** Providers tested concurrently: few, because the answers are timed. */
const MAX_AT_ONCE = 4

/** Machines of a development chain have little to spare. */
const classOf = (chainId: number): HardwareClass => hardwareClass(chainId === DEVELOPMENT_CHAIN_ID ? 1 : 2) as HardwareClass

/**
 * Tests hardware when it is due, besides observing. Runs at most once per epoch and returns what it did; idempotent. A monitor tests all
 * nodes of a provider if it is drawn for one of them; the market counts the results of monitors drawn for a node.
 */
export function createHardwareTester(
  options: Pick<
    MonitorOptions,
    | 'account'
    | 'signer'
    | 'client'
    | 'chainId'
    | 'addresses'
    | 'monitors'
    | 'calendar'
    | 'fleet'
    | 'ownIps'
    | 'metrics'
    | 'now'
    | 'log'
  > & {
    results: HardwareResultsFile
    /** Allowed beyond every limit, where others keep the machine busy. */
    graceMs?: number
  },
) {
  const { account, signer, client, chainId, addresses, monitors, calendar, results, metrics, now, log, graceMs = 0 } = options
  const readFleetOf = options.fleet ?? createFleetReader(client, addresses)
  const due = createHardwareCalendar(calendar, results.has)
  let [testedEpoch, drawnPeriod] = [-1, -1]
  const drawn = new Map<string, boolean>()
  /** Whether this monitor is drawn for one of the nodes. */
  const isDrawn = async ({ address: provider, nodes }: FleetProvider, period: number): Promise<boolean> => {
    if (drawnPeriod !== period) drawn.clear()
    drawnPeriod = period
    for (const { id } of nodes) {
      const key = `${provider} ${id}`
      const args = [provider, id, BigInt(period)] as const
      const known =
        drawn.get(key) ??
        (await client.readContract({ address: monitors, abi: monitorsAbi, functionName: 'assigned', args })).some((one) =>
          isAddressEqual(one, account.address),
        )
      drawn.set(key, known)
      if (known) return true
    }
    return false
  }
  return async (): Promise<void> => {
    const epoch = calendar.epochAt(now())
    if (epoch === testedEpoch) return
    const beacon = await beaconOf(client, epoch * calendar.epochSeconds)
    if (!beacon) return
    const place = { account: lowerCaseAddress(account.address), ips: (await options.ownIps?.()) ?? [] }
    const fleet = (await readFleetOf(epoch)).filter(
      (one) => one.nodes.length > 0 && mayConnect(one, chainId) && standsApart(one, place),
    )
    testedEpoch = epoch
    due.keepOnly(fleet)
    const waiting: typeof fleet = []
    for (const one of fleet) if ((await isDrawn(one, calendar.periodOf(epoch))) && due.isDue(one, epoch)) waiting.push(one)
    const worker = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const provider = one.address
        const context = { account, signer, chainId, monitors, epoch, beacon, hardwareClass: classOf(chainId), graceMs, now }
        const found = await testProvider(one, context).catch((error: unknown) => {
          log.info({ provider, reason: String(error) }, 'hardware cannot be tested')
          return []
        })
        for (const result of found) {
          results.put(result)
          metrics.hardware.inc({ outcome: result.outcome })
          log.info({ provider, nodeId: result.nodeId, outcome: result.outcome, ms: result.makingMs }, 'hardware tested')
        }
      }
    }
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
  }
}
