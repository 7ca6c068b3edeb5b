import type { MarketAddresses } from '@rackfair/sdk'
import type { Logger } from 'pino'
import type { LocalAccount, PublicClient, Transport, WalletClient } from 'viem'
import type { Observations } from './openObservations.ts'

export interface MonitorOptions {
  account: LocalAccount
  client: PublicClient
  writer: WalletClient<Transport, undefined, LocalAccount>
  chainId: number
  addresses: MarketAddresses
  observations: Observations
  /** Where other monitors publish their reports. */
  peers: readonly string[]
  /** Unix seconds. */
  now: () => number
  /** Between two attempts at a provider. */
  retryMs: number
  log: Logger
}
