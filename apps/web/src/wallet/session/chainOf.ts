import type { ConfigAnswer } from '@rackfair/protocol/config'
import { type Chain, defineChain } from 'viem'
import { type ChainLook, chainLook } from '../chainLook.ts'

/** The chain of this installation's market, as viem and wallets describe one, with its picture. */
export function chainOf(config: ConfigAnswer): Chain & Partial<ChainLook> {
  const chain = defineChain({
    id: config.chainId,
    name: `Rackfair ${config.chainName}`,
    nativeCurrency: { name: 'Rack', symbol: 'RACK', decimals: 18 },
    rpcUrls: { default: { http: [config.rpcUrl] } },
    ...(config.explorerUrl === null ? {} : { blockExplorers: { default: { name: 'Explorer', url: config.explorerUrl } } }),
  })
  return { ...chain, ...chainLook(config.chainId) }
}
