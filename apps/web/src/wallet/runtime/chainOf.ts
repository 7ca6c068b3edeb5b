import type { ConfigAnswer } from '@rackfair/core/wire'
import { type Chain, defineChain } from 'viem'

/** The chain of this installation's market, as viem and wallets describe one. */
export function chainOf(config: ConfigAnswer): Chain {
  return defineChain({
    id: config.chainId,
    name: `Rackfair ${config.chainName}`,
    nativeCurrency: { name: 'Rack', symbol: 'RACK', decimals: 18 },
    rpcUrls: { default: { http: [config.rpcUrl] } },
    ...(config.explorerUrl === null ? {} : { blockExplorers: { default: { name: 'Explorer', url: config.explorerUrl } } }),
  })
}
