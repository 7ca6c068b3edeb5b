import { isMarketChain, MARKET_CHAINS } from '@rackfair/rules/chains'

/** How a network is drawn (product specification, point 3). */
export interface ChainLook {
  /** White on transparent, served with the page. */
  iconUrl: string
  iconBackground: string
}

/** Undefined for a network that is not the market's. */
export function chainLook(chainId: number): ChainLook | undefined {
  if (!isMarketChain(chainId)) return undefined
  const { kind } = MARKET_CHAINS[chainId]
  return { iconUrl: `/chains/${kind}.svg`, iconBackground: `var(--chain-${kind})` }
}
