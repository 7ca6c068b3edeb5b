import type { MarketAddresses } from '@rackfair/sdk'
import type { Address, Chain, Client, Transport } from 'viem'

/** What the functions of `@rackfair/sdk` take: a client of this installation's chain and where the five contracts are. */
export interface Market {
  client: Client<Transport, Chain>
  addresses: MarketAddresses
  /** The factory of purses; undefined where the market has none. */
  purses: Address | undefined
  chainId: number
  explorerUrl: string | null
}
