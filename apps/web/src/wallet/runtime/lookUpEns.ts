import { type Address, createClient, http } from 'viem'
import { getEnsName } from 'viem/actions'
import { mainnet } from 'viem/chains'

export async function lookUpEns(rpcUrl: string, address: Address): Promise<string | null> {
  return getEnsName(createClient({ chain: mainnet, transport: http(rpcUrl) }), { address })
}
