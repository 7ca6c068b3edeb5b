import { monitorsAbi } from '@rackfair/contracts'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import { isAddressEqual } from 'viem'
import type { MonitorOptions } from './MonitorOptions.ts'

const MAX_URL = 128

/** Where the other monitors publish their reports, as each has announced on chain. What is no URL of the web is left out. */
export async function findPeers(options: Pick<MonitorOptions, 'account' | 'client' | 'monitors' | 'chainId'>): Promise<string[]> {
  const contract = { address: options.monitors, abi: monitorsAbi } as const
  const accounts = await options.client.readContract({ ...contract, functionName: 'monitors' })
  const others = accounts.filter((one) => !isAddressEqual(one, options.account.address))
  const urls = await Promise.all(
    others.map((monitor) => options.client.readContract({ ...contract, functionName: 'urlOf', args: [monitor] })),
  )
  return urls.filter((url) => isPeer(url, options.chainId)).map((url) => url.replace(/\/+$/, ''))
}

/** With TLS and a name; on a development chain any URL of the web. */
export function isPeer(url: string, chainId: number): boolean {
  if (url === '' || url.length > MAX_URL || !URL.canParse(url)) return false
  const { protocol, hostname, username, search, hash } = new URL(url)
  if (username !== '' || search !== '' || hash !== '') return false
  if (chainId === DEVELOPMENT_CHAIN_ID) return protocol === 'http:' || protocol === 'https:'
  return protocol === 'https:' && !/^[\d.]+$|[:\]]|(^|\.)localhost$/.test(hostname)
}
