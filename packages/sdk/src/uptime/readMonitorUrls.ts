import { monitorsAbi } from '@rackfair/contracts'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import type { Address } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'

const MAX_URL = 128

/** A monitor and where it publishes its reports, without a slash at the end. */
export interface MonitorUrl {
  monitor: Address
  url: string
}

/** Where monitors publish their reports, as each has announced on chain. Those that announced nothing usable are left out. */
export async function readMonitorUrls(client: ChainReader, monitors: Address, chainId: number): Promise<MonitorUrl[]> {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const accounts = await readAt(client, { ...contract, functionName: 'monitors' })
  const known = await Promise.all(
    accounts.map(async (monitor) => ({
      monitor,
      url: await readAt(client, { ...contract, functionName: 'urlOf', args: [monitor] }),
    })),
  )
  return known
    .filter(({ url }) => isMonitorUrl(url, chainId))
    .map(({ monitor, url }) => ({ monitor, url: url.replace(/\/+$/, '') }))
}

/**
 * Whether others follow it: with TLS and a name, on a development chain any URL of the web; 128 characters at most.
 * @example isMonitorUrl('https://monitor.example', 985) // true
 */
export function isMonitorUrl(url: string, chainId: number): boolean {
  if (url === '' || url.length > MAX_URL || !URL.canParse(url)) return false
  const { protocol, hostname, username, search, hash } = new URL(url)
  if (username !== '' || search !== '' || hash !== '') return false
  if (chainId === DEVELOPMENT_CHAIN_ID) return protocol === 'http:' || protocol === 'https:'
  return protocol === 'https:' && !/^[\d.]+$|[:\]]|(^|\.)localhost$/.test(hostname)
}
