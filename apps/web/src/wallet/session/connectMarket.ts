import type { ConfigAnswer } from '@rackfair/protocol/config'
import { readAddresses } from '@rackfair/sdk'
import { type Address, createClient, http } from 'viem'
import type { Market } from '../market.ts'
import { chainOf } from './chainOf.ts'

export async function connectMarket(config: ConfigAnswer): Promise<Market> {
  const client = createClient({
    chain: chainOf(config),
    transport: http(config.rpcUrl),
    pollingInterval: 1000,
    cacheTime: 0,
  })
  return {
    client,
    addresses: await readAddresses(client, config.access as Address),
    purses: config.purseFactory as Address | undefined,
    chainId: config.chainId,
    explorerUrl: config.explorerUrl,
  }
}
