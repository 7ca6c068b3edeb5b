import { readMarket } from '@rackfair/sdk'
import { isAddressEqual, zeroAddress } from 'viem'
import type { ChainView } from '../chain/read/chainView.ts'

/** The name itself, or with the end of the provider's address appended if another provider has it: many machines share a host name. */
export async function freeName({ client, addresses }: ChainView, name: string, provider: `0x${string}`): Promise<string> {
  const holder = await readMarket(client, addresses, 'registry', 'holderOf', [name])
  const isFree = isAddressEqual(holder, zeroAddress) || isAddressEqual(holder, provider)
  return isFree ? name : `${name}-${provider.slice(-4)}`
}
