import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { MarketAddresses } from '@rackfair/sdk'
import type { Logger } from 'pino'
import type { Address, LocalAccount, PublicClient, Transport, WalletClient } from 'viem'
import type { Metrics } from './createMetrics.ts'
import type { Observations } from './openObservations.ts'
import type { createFleetReader } from './readFleet.ts'
import type { Schedule } from './schedule.ts'

export interface MonitorOptions {
  /** Whose bond it is, and who sends transactions. */
  account: LocalAccount
  /** The key that it named on the chain, which signs for it. */
  signer: LocalAccount
  client: PublicClient
  writer: WalletClient<Transport, undefined, LocalAccount>
  chainId: number
  addresses: MarketAddresses
  observations: Observations
  /** The contracts `Monitors` and `Findings`, and how they count time. */
  monitors: Address
  findings: Address
  calendar: Calendar
  /** The nodes of the market in an epoch. Shared, so that one process reads them once per epoch; otherwise each part reads its own. */
  fleet?: ReturnType<typeof createFleetReader>
  /** The addresses of this monitor: it does not report on machines next to it. Defaults to none. */
  ownIps?: () => Promise<readonly string[]>
  /** The addresses of a registered name, where a provider is asked that does not answer at its registered one. */
  addressesOf?: (name: string) => Promise<readonly string[]>
  /** Unix seconds. */
  now: () => number
  schedule: Schedule
  metrics: Metrics
  log: Logger
}
