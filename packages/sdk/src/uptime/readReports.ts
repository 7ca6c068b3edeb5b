import { monitorsAbi } from '@rackfair/contracts'
import { type Address, zeroHash } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { fetchReports, isUnderRoot, type PublishedReports } from './publishedReports.ts'
import type { MonitorUrl } from './readMonitorUrls.ts'

/** What a monitor published, if it matches the root it revealed on the chain. */
export async function readReports(
  client: ChainReader,
  monitors: Address,
  chainId: number,
  { monitor, url }: MonitorUrl,
  period: number,
): Promise<PublishedReports | undefined> {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const root = await readAt(client, { ...contract, functionName: 'rootOf', args: [monitor, BigInt(period)] })
  if (root === zeroHash) return undefined
  const published = await fetchReports(url, chainId, period).catch(() => undefined)
  if (!published || published.reports.length === 0 || published.monitor !== monitor) return undefined
  return (await isUnderRoot(published, root)) ? published : undefined
}
