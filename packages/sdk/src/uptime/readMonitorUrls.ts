import { monitorsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { Address } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { isMonitorUrl } from './isMonitorUrl.ts'

/** A monitor and where it publishes its reports, without a trailing slash. */
export interface MonitorUrl {
  monitor: LowerCaseAddress
  url: string
}

/**
 * Where monitors publish their reports, as they announced it on the chain: those of today, or all that monitored through a `period`, also
 * those that left since. Those without a usable announcement are skipped.
 */
export async function readMonitorUrls(
  client: ChainReader,
  monitors: Address,
  chainId: number,
  period?: number,
): Promise<MonitorUrl[]> {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const accounts = await (period === undefined
    ? readAt(client, { ...contract, functionName: 'monitors' })
    : readAt(client, { ...contract, functionName: 'monitorsIn', args: [BigInt(period)] }))
  const known = await Promise.all(
    accounts.map(async (monitor) => ({
      monitor: lowerCaseAddress(monitor),
      url: await readAt(client, { ...contract, functionName: 'urlOf', args: [monitor] }),
    })),
  )
  return known
    .filter(({ url }) => isMonitorUrl(url, chainId))
    .map(({ monitor, url }) => ({ monitor, url: url.replace(/\/+$/, '') }))
}
