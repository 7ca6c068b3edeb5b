import { readMarket } from '@rackfair/sdk'
import { zeroAddress } from 'viem'
import type { ChainView } from '../chain/chainView.ts'

/** The name as it is, or with the end of the provider's address where another provider has it: many machines are called alike. */
export async function freeName({ client, addresses }: ChainView, name: string, provider: `0x${string}`): Promise<string> {
  const holder = await readMarket(client, addresses, 'registry', 'holderOf', [name])
  const isFree = holder === zeroAddress || holder.toLowerCase() === provider
  return isFree ? name : `${name}-${provider.slice(-4)}`
}
