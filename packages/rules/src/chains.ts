/** The networks of the market. */
export const MARKET_CHAINS = {
  985: { id: 985, name: 'Main', kind: 'main' },
  1985: { id: 1985, name: 'Test', kind: 'test' },
  2985: { id: 2985, name: 'Dev', kind: 'development' },
} as const
export type MarketChainId = keyof typeof MARKET_CHAINS
export const DEVELOPMENT_CHAIN_ID = 2985

/** True for a chain that the market runs on. */
export function isMarketChain(chainId: number): chainId is MarketChainId {
  return Object.hasOwn(MARKET_CHAINS, chainId)
}
